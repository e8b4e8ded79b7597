//! run: check --deny fixpoints
//! run: modes --format json
//! json: /loops/0/status != "undecided"
//! json: /loops/0/status != "none"
// The current is a state. That its amount and itself have to do with each other decides: after it falls below what the open switch lets
// through, the arc is out.
model SwitchArc
  parameter Real g = 1e-3;
  input Real arc(min = 0);
  Real i(start = 1, fixed = true), v;
  Boolean out(start = false, fixed = true);
equation
  der(i) = -v;
  out = abs(i) <= abs(v)*g or pre(out);
  v = if out then i/g else arc*sign(i);
end SwitchArc;
