//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/x == 2 +- 1e-5
// Speed and acceleration are zero at the start: the spring carries the load.
model RestFromAcceleration
  Real x, v(start=0,fixed=true);
initial equation
  der(v) = 0;
equation
  der(x)=v; der(v) = 4 - 2*x;
end RestFromAcceleration;
