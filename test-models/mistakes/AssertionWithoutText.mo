//! exit: 1
//! code: MS2022 line 9
//! snapshot
//! mend: 9:   assert(x < 20, "too far");
// Wrong: an assertion needs a text.
model AssertionWithoutText
  Real x = time;
equation
  assert(x < 20);
end AssertionWithoutText;
