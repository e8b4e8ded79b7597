//! run: transitions --format json
//! code: MS5002 line 11
//! json: /initialisation/verdict == "nonlinear-impulse"
//! json: /diagnostics/1/severity == "warning"
// Neither speed is fixed: a run moves one of them.
model GuessedAtStart
  Real w1(start = 1), w2(start = 3);
  Real t1, t2;
equation
  der(w1) = t1 - w1;
  der(w2) = sinh(t2) - w2;
  t1 + t2 = 0;
  if time < 1 then
    w1 = w2;
  else
    t1 = 0;
  end if;
end GuessedAtStart;
