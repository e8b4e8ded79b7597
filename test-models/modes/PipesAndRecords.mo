//! run: check --class Pipe
//! run: check --class Choice
// What leaves a pipe is known from what entered it before. A record with one field is chosen by a condition like any other.
model Pipe
  Real x(start = 0, fixed = true);
  Real v = sin(time);
  Real entering = time, leaving, back;
equation
  der(x) = v;
  (back, leaving) = spatialDistribution(entering, 0, x, v >= 0);
end Pipe;
record State
  Real T;
end State;
model Choice
  State forward(T = 300 + time);
  State rearward(T = 310 - time);
  State upstream;
  Real flow_ = cos(time);
equation
  upstream = if noEvent(flow_ > 0) then forward else rearward;
end Choice;
