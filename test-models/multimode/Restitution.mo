//! run: restart --from g=false --to g=true --at x1=2,x2=2,v1=2,v2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/x1 == 2 +- 1e-9
//! approx: /right/x2 == 2 +- 1e-9
//! approx: /right/v1 == 0.5 +- 1e-9
//! approx: /right/v2 == 1.5 +- 1e-9
//! json: /weights == {}
//! run: simulate --stop-time 2 --format json
//! approx: /final/x1 == 2.5 +- 1e-6
//! approx: /final/x2 == 3.5 +- 1e-6
// A partly elastic collision, by Newton's law for both velocities.
model Restitution
  Real x1(start=0, fixed=true), x2(start=2, fixed=true), v1(start=2, fixed=true),
    v2(start=0, fixed=true);
  parameter Real e = 0.5;
  Boolean g;
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  g = x1 >= x2;
  when g then
    reinit(v1, (pre(v1)*(1 - e) + pre(v2)*(1 + e))/2);
    reinit(v2, (pre(v1)*(1 + e) + pre(v2)*(1 - e))/2);
  end when;
end Restitution;
