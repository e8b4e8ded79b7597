//! run: simulate
//! exit: 1
//! code: MS6001 line 8
// An initial equation that only counts under a condition is not left out silently.
model InitialBranches
  Real x(start = 1);
initial equation
  if time < 1 then
    x = 3;
  end if;
equation
  der(x) = 1;
end InitialBranches;
