//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 2
//! json: /classes/1/index == 2
//! json: /classes/1/dof == 0
//! code: MS4004
// A mass that touches a stop: in contact its position is given, twice differentiated.
model EndStop
  Real x(start = 1);
  Real v(start = 0);
  Real F;
  input Boolean contact;
equation
  der(x) = v;
  der(v) = -9.81 + F;
  0 = if contact then x else F;
end EndStop;
