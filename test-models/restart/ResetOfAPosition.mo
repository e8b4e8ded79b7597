//! run: restart --from "x >= 1=false" --to "x >= 1=true" --at x=1,v=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 0 +- 1e-12
//! approx: /right/v == 0.5 +- 1e-12
// The friction is nonlinear, so that the change is a matter of arrays: there the position after the instant is not what the
// velocity before made of it.
model ResetOfAPosition "A belt whose position wraps around, with nonlinear friction"
  Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -0.1*v^2;
  when x >= 1 then
    reinit(x, 0);
  end when;
end ResetOfAPosition;
