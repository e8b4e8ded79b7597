//! run: flatten --class ExpandableBusDeclared
// Expandable connector with declared members (used and unused), and a sub-bus.
connector RealInput = input Real;
connector RealOutput = output Real;

expandable connector SubBus
  Real torque "declared; used";
  Real neverUsed "declared; not used by any connection";
end SubBus;

expandable connector Bus
  SubBus engine;
  Real level(unit = "1");
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
  parameter Real k = 1;
equation
  y = k*u;
end Gain;

model ExpandableBusDeclared
  Bus bus;
  Const torque(k = 50), level(k = 0.5);
  Gain g1(k = 2), g2(k = 3);
equation
  connect(torque.y, bus.engine.torque);
  connect(level.y, bus.level);
  connect(bus.engine.torque, g1.u);
  connect(bus.level, g2.u);
end ExpandableBusDeclared;
