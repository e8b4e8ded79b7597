//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/y == -0.8 +- 1e-5
// One coordinate is given, the other follows from the rod and starts on the side of its guess.
model PendulumFromOneCoordinate
  Real x(start=0.6, fixed=true), y(start=-1), vx(start=0,fixed=true), vy, F;
equation
  der(x)=vx; der(y)=vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2+y^2=1;
end PendulumFromOneCoordinate;
