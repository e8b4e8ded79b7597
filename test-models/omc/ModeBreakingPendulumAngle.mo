//! run: flatten --class ModeBreakingPendulumAngle
// Multimode: the breaking pendulum with the angle as state before and Cartesian motion after; the angle idles in the second mode.
model ModeBreakingPendulumAngle
  parameter Real L = 1, g = 9.81, tBreak = 2;
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
  Real x, y, vx, vy;
  Boolean broken(start = false, fixed = true);
equation
  when time >= tBreak then
    broken = true;
  end when;
  der(x) = vx;
  der(y) = vy;
  if not broken then
    der(phi) = w;
    der(w) = -g/L*sin(phi);
    x = L*sin(phi);
    y = -L*cos(phi);
  else
    der(phi) = 0;
    der(w) = 0;
    der(vx) = 0;
    der(vy) = -g;
  end if;
end ModeBreakingPendulumAngle;
