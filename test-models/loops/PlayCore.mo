//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "undecided"
//! run: check
//! code: MS4003
//! run: simulate --stop-time 6 --format json
//! json: /completed == true
// A core with remanence behind a resistance. While the field rises the flux follows the lower branch, while it falls the upper one, so
// the mode decides which branch is differentiated. Both follow from the field in either mode: the states are the same, and the
// loop between `rises` and the field does not decide over them.
model PlayCore
  Real h(start = 0, fixed = true);
  Real b(start = 0, fixed = true);
  Real lower, upper, slope, weight;
  Boolean rises(start = true);
equation
  lower = tanh(h - 1) - 0.01;
  upper = tanh(h + 1) + 0.01;
  rises = der(h) > 0;
  if rises then
    slope = der(lower);
    weight = (upper - b)/(upper - lower);
  else
    slope = der(upper);
    weight = (b - lower)/(upper - lower);
  end if;
  der(b) = weight*slope + 0.1*der(h);
  3*sin(time) = h + der(b);
end PlayCore;
