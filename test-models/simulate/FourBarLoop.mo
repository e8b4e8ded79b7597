//! run: simulate --format json
//! json: /completed == true
//! approx: /final/drift == 0 +- 1e-5
// A closed loop of bars: two of three angles follow from the third, by equations that are solved together. Nothing takes
// energy out.
model FourBarLoop
  constant Real J[3] = {0.2, 0.5, 0.3};
  Real a(start = 0.5, fixed = true);
  Real b(start = 1);
  Real c(start = 2);
  Real w[3];
  Real lambda[2];
  Real energy = J*{w[1]^2, w[2]^2, w[3]^2}/2;
  parameter Real first(fixed = false);
  Real drift = energy - first;
initial equation
  w[1] = 4;
  first = energy;
equation
  der(a) = w[1];
  der(b) = w[2];
  der(c) = w[3];
  cos(a) + 3*cos(b) = 3 + 2*cos(c);
  sin(a) + 3*sin(b) = 2*sin(c);
  J[1]*der(w[1]) = lambda[1]*sin(a) - lambda[2]*cos(a);
  J[2]*der(w[2]) = 3*(lambda[1]*sin(b) - lambda[2]*cos(b));
  J[3]*der(w[3]) = -2*(lambda[1]*sin(c) - lambda[2]*cos(c));
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end FourBarLoop;
