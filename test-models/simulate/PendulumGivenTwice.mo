//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/F == 7.848 +- 1e-5
// All four values of a pendulum are fixed. They agree, so they are accepted.
model PendulumGivenTwice
  Real x(start=0.6, fixed=true), y(start=-0.8,fixed=true), vx(start=0,fixed=true), vy(start=0,fixed=true), F;
equation
  der(x)=vx; der(y)=vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2+y^2=1;
end PendulumGivenTwice;
