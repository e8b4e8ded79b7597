//! run: flatten --class ExpandableBus
// Expandable connector: variables are added by connecting to it; a bus of a small vehicle control.
connector RealInput = input Real;
connector RealOutput = output Real;
connector BooleanOutput = output Boolean;
connector BooleanInput = input Boolean;

expandable connector Bus
end Bus;

model SpeedSensor
  Bus bus;
  RealOutput y;
equation
  y = 10*time;
  connect(y, bus.speed);
end SpeedSensor;

model Limiter
  Bus bus;
  RealInput v;
  BooleanOutput tooFast;
  parameter Real vMax = 5;
equation
  connect(bus.speed, v);
  tooFast = v > vMax;
  connect(tooFast, bus.alarm);
end Limiter;

model Lamp
  BooleanInput on;
  Real power = if on then 20 else 0;
end Lamp;

model ExpandableBus
  Bus bus;
  SpeedSensor sensor;
  Limiter limiter(vMax = 7);
  Lamp lamp;
equation
  connect(sensor.bus, bus);
  connect(limiter.bus, bus);
  connect(bus.alarm, lamp.on);
end ExpandableBus;
