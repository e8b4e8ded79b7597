//! run: flatten --class ModeBreakingPendulum
// Multimode: a pendulum whose string breaks; Cartesian equations, the same number of equations in each branch, a constraint in one.
model ModeBreakingPendulum
  parameter Real L = 1, g = 9.81, tBreak = 2;
  Real x(start = 0.8), y(start = -0.6), vx(start = 0), vy;
  Real F "force per length along the string";
  Boolean broken = time >= tBreak;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  if not broken then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
end ModeBreakingPendulum;
