//! run: mdae
//! stdout: u = element(if pre(p) == Phase.idle then 1
//! run: check
// The left limit of an enumeration as a subscript is a left limit in the modes, too.
model TableByPhaseBefore
  type Phase = enumeration(idle, busy);
  input Phase p;
  parameter Real t[Phase] = {1, 2};
  Real u = t[pre(p)];
end TableByPhaseBefore;
