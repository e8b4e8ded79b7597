//! run: flatten --class FinalMods
// The prefix final: on declarations, in modifications, on attributes; later modifications of other attributes stay possible.
type Temperature = Real(final unit = "K", min = 0, start = 300);

model Sensor
  parameter Real gain = 2;
  final parameter Real offset = 0.5*gain;
  Temperature T(final fixed = true);
  Real y = gain*T + offset;
equation
  der(T) = -T + 300;
end Sensor;

model Fine
  extends Sensor(final gain = 4, T(start = 290));
  final constant Integer version = 3;
end Fine;

model FinalMods
  parameter Real g0 = 7;
  Sensor s1(final gain = g0);
  Fine s2(T(max = 500));
  final parameter Real sumOffset = s1.offset + s2.offset + s2.version;
end FinalMods;
