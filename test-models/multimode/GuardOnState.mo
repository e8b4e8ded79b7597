//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
// A guard that reads a state is known at the start of the instant.
model GuardOnState
  Real x(start = 1), v(start = 0), f;
  Boolean contact;
equation
  der(x) = v;
  der(v) = -9.81 + f;
  contact = x < 0;
  f = if contact then -1000*x - 10*v else 0;
end GuardOnState;
