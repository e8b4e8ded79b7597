//! exit: 1
//! code: MS2023 line 8
//! snapshot
//! mend: 8:   assert(p > 0.5e5, "pressure too low");
model AssertExchanged "Pressure that must not fall"
  Real p = 1e5 + time;
equation
  assert("pressure too low", p > 0.5e5);
end AssertExchanged;
