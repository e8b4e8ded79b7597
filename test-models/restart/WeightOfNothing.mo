//! run: check
//! code: MS5016
//! run: restart --from "time < 2=true,time < 1=false,contact=true" --to "time < 2=false" --at "time=2,x=1,v=1" --format json
//! approx: /right/v == 0 +- 1e-12
//! approx: /weights/f == -1 +- 1e-12
//! approx: /weights/a == -1 +- 1e-12
//! json: /weights/f_d absent
// The distance to the stop follows the ramp, so that its rate is bounded, and the damper of the stop is not hit.
model WeightOfNothing "The end of a ramp stops a mass that touches a stop with a damper"
  parameter Real m = 1, d = 3, c = 100;
  Real s, x, v, a, f, distance, v_rel, f_d, limited;
  Boolean contact;
equation
  s = if time < 1 then 0 else if time < 2 then time - 1 else 1;
  x = s;
  v = der(x);
  a = der(v);
  m*a = f - limited;
  distance = 1.5 - x;
  v_rel = der(distance);
  contact = time >= 0.5;
  f_d = if contact then d*v_rel else 0;
  limited = smooth(0, noEvent(min(max(f_d, -c*distance), c*distance)));
end WeightOfNothing;
