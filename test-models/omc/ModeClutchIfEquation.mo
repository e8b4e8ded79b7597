//! run: flatten --class ModeClutchIfEquation
// Multimode: ideal clutch between two shafts, the mode as an if-equation over a Boolean of time.
model ModeClutchIfEquation
  parameter Real J1 = 1, J2 = 2;
  parameter Real d1 = 0.01, d2 = 0.05;
  Real w1(start = 10), w2(start = 0);
  Real tau1, tau2 "torques of the clutch on each side";
  Boolean engaged = time >= 5 and time < 10;
equation
  J1*der(w1) + d1*w1 = tau1;
  J2*der(w2) + d2*w2 = tau2;
  tau1 + tau2 = 0;
  if engaged then
    w1 - w2 = 0;
  else
    tau1 = 0;
  end if;
end ModeClutchIfEquation;
