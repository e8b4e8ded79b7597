//! run: simulate
//! exit: 1
//! code: MS6010 line 9
//! stderr: the time of `delay` is not between 0
// A delay may change, but not beyond what was said to be its longest time.
model DelayTooLong
  Real y;
equation
  y = delay(time, time, 0.5);
  annotation(experiment(StopTime = 1));
end DelayTooLong;
