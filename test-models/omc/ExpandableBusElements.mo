//! run: flatten --class ExpandableBusElements
//! stdout: Real bus.wheel[2] "variable added to expandable connector";
// Expandable connector to which the elements of an array are added one by one; compare with what is printed.
connector RealInput = input Real;
connector RealOutput = output Real;

expandable connector Bus
end Bus;

block Const
  RealOutput y;
  parameter Real k = 1;
equation
  y = k;
end Const;

block Gain
  RealInput u;
  RealOutput y;
equation
  y = 3*u;
end Gain;

model ExpandableBusElements
  Bus bus;
  Const wheel1(k = 1), wheel2(k = 2);
  Gain g;
equation
  connect(wheel1.y, bus.wheel[1]);
  connect(wheel2.y, bus.wheel[2]);
  connect(bus.wheel[2], g.u);
end ExpandableBusElements;
