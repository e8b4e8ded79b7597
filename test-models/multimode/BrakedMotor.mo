//! run: restart --from braked=false --to braked=true --at w=50,i=2 --format json
//! approx: /right/w == 0 +- 1e-9
//! approx: /right/i == 2 +- 1e-9
//! run: transitions --from braked=false --to braked=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/tb == "1"
// An ideal brake stops a motor; the armature current is a state and stays.
model BrakedMotor
  parameter Real J = 0.01, k = 0.1, R = 1, L = 0.001;
  Real w(start = 0), i(start = 0), tb;
  input Boolean braked;
equation
  J*der(w) = k*i - tb;
  L*der(i) = 12 - R*i - k*w;
  0 = if braked then w else tb;
end BrakedMotor;
