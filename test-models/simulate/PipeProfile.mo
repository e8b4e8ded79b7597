//! run: simulate --format json --intervals 100
//! json: /completed == true
//! approx: /final/ramp == 0 +- 1e-9
//! approx: /final/peak == 0.25 +- 1e-6
//! approx: /final/step == 3 +- 1e-6
//! approx: /final/area == 0.96875 +- 1e-4
// What is in a pipe at the start goes out as straight lines through the given points: nothing is bent between them, nor into
// what enters later.
//   ramp: zero is in the pipe, time goes in at a speed of 0.5: zero comes out for 2 seconds
//   peak: 0, 1, 0 over the length, speed 0.5: at 1.75 the place 0.125 is at the end, where 0.25 was
//   step: a jump from 0 to 4 at a quarter, moving back with speed 0.2: at 1.75 the place 0.35 is at the left end, less 1
//   area: the integral of peak, which is the area over the places from 0.125 to 1, divided by the speed: (0.5 - 0.015625)/0.5
model PipeProfile
  Real x(start = 0, fixed = true), area(start = 0, fixed = true);
  Real a, ramp, b, peak, c, step;
equation
  der(x) = 0.5;
  (a, ramp) = spatialDistribution(time, 0, x, true, {0.0, 1.0}, {0.0, 0.0});
  (b, peak) = spatialDistribution(7, 0, x, true, {0.0, 0.5, 1.0}, {0.0, 1.0, 0.0});
  (step, c) = spatialDistribution(0, 9, -0.4*x, false, {0.0, 0.25, 0.25, 1.0}, {-1.0, -1.0, 3.0, 3.0});
  der(area) = peak;
  annotation(experiment(StopTime = 1.75));
end PipeProfile;
