//! run: modes --format json
//! json: /verdict == "accepted"
// The second tank is disconnected from everything in one mode: its inflow is then absent, and each mode is square.
model AbsentInOneMode
  Real x(start = 1), y(start = 0), q;
  input Boolean linked;
equation
  der(y) = -y;
  if linked then
    der(x) = -q;
    q = x - y;
  else
    der(x) = -x;
  end if;
end AbsentInOneMode;
