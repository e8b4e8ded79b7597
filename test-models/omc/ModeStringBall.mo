//! run: flatten --class ModeStringBall
// Multimode: ball on an elastic-free string: taut (circle) or slack (free flight), Boolean state and reinit on tightening.
model ModeStringBall
  parameter Real L = 1, g = 9.81;
  Real x(start = 0), y(start = -0.9), vx(start = 2), vy(start = 0);
  Real T "string force over length";
  Boolean taut(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -T*x;
  der(vy) = -T*y - g;
  0 = if taut then vx^2 + vy^2 + x*der(vx) + y*der(vy) else T;
  when x^2 + y^2 >= L^2 and x*vx + y*vy > 0 then
    taut = true;
    reinit(vx, vx - x*(x*vx + y*vy)/L^2);
    reinit(vy, vy - y*(x*vx + y*vy)/L^2);
  elsewhen T < 0 then
    taut = false;
  end when;
end ModeStringBall;
