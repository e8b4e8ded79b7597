//! exit: 1
//! code: MS2050 line 16
//! snapshot
//! mend: 16:   tank.q = k*(1.5 - tank.level);
model TypeForComponent "Level control of a tank"
  model Tank
    parameter Real A = 2;
    Real level(start = 1, fixed = true);
    Real q;
  equation
    A*der(level) = q;
  end Tank;
  Tank tank;
  parameter Real k = 0.3;
equation
  tank.q = k*(1.5 - Tank.level);
end TypeForComponent;
