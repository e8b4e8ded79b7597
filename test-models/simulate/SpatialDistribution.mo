//! run: simulate --format json --intervals 100
//! json: /completed == true
//! approx: /final/right == 0.5403023058681398 +- 1e-5
//! approx: /final/back == 0.5 +- 1e-5
//! approx: /final/left == 0.25 +- 1e-5
// A pipe of length 1. What enters at the left comes out at the right after 1/speed; where the flow turns round, what went
// in comes out again.
//   right: speed 1, cos(time) goes in: at 2, cos(1)
//   back:  forward with speed 1 until 1, then back: what leaves at the left at 2 - s entered at s; 0.5 at time 1.5
model SpatialDistribution
  Real x(start = 0, fixed = true), z(start = 0, fixed = true), y(start = 0, fixed = true);
  Real right, back, left, a, b, c;
  discrete Real kept(start = 0, fixed = true);
equation
  der(x) = 1;
  (a, right) = spatialDistribution(cos(time), 0, x, true, {0.0, 1.0}, {1.0, 1.0});
  der(z) = if time < 1 then 1 else -1;
  (b, c) = spatialDistribution(time, 7, z, time < 1);
  when time >= 1.5 then
    kept = b;
  end when;
  back = kept;
  der(y) = -0.5;
  // Nothing but the initial profile leaves at the left: a ramp from 0.25 (left) to 1.25 (right), constant in between.
  (left, ) = spatialDistribution(0, 3, y - 0.0*time, false, {0.0, 0.5, 1.0}, {0.25, 0.25, 0.25});
  annotation(experiment(StopTime = 2));
end SpatialDistribution;
