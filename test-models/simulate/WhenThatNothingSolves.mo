//! run: check
//! exit: 1
//! code: MS4012 line 19
//! code: MS4012 line 19
//! run: transitions
//! exit: 1
//! code: MS4012 line 19
//! code: MS4012 line 19
//! run: simulate
//! exit: 1
//! code: MS4012 line 19
//! code: MS4012 line 19
//! run: restart --from "time > 0.5=false" --to "time > 0.5=true"
//! exit: 1
//! code: MS4012 line 19
//! code: MS4012 line 19
// Equations in a `when` that say of no variable what it becomes (section 8.3.5.2 of the specification): all commands refuse them.
model WhenThatNothingSolves
  discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  when time > 0.5 then
    a + b = 3;
    a - b = 1;
  end when;
end WhenThatNothingSolves;
