//! run: modes --format json
//! json: /verdict == "accepted"
//! code: MS4006 line 14
//! json: /mode_count == 3
// The second branch comes too late.
model NeverTrue
  Real x(start = 0);
  Real y;
equation
  der(x) = 1;
  if x > 1 then
    y = 1;
  elseif x > 2 then
    y = 2;
  else
    y = 0;
  end if;
end NeverTrue;
