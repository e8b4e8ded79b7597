within Modelica.Blocks;
package Nonlinear "Blocks with different behaviour in different ranges"
  extends Modelica.Icons.Package;

  block Limiter "Limits a signal"
    parameter Real uMax(start=1) = 1 "Upper limit";
    parameter Real uMin = -uMax "Lower limit";
    extends Interfaces.SISO;
  equation
    assert(uMax >= uMin, "The upper limit is below the lower limit.");
    y = if u > uMax then uMax elseif u < uMin then uMin else u;
  end Limiter;

  block DeadZone "Zero inside a zone, shifted outside"
    parameter Real uMax(start=1) = 1 "Upper end of the zone";
    parameter Real uMin = -uMax "Lower end of the zone";
    extends Interfaces.SISO;
  equation
    assert(uMax >= uMin, "The upper end of the zone is below its lower end.");
    y = if u > uMax then u - uMax elseif u < uMin then u - uMin else 0;
  end DeadZone;
end Nonlinear;
