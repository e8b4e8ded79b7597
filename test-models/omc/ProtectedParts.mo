//! run: flatten --class ProtectedParts
// protected: variables, parameters, components and nested classes; what of it is seen in the flat model.
model Pump
  parameter Real k = 1;
  input Real speed;
  output Real flowRate;
protected
  parameter Real k2 = k^2;
  final parameter Real k3 = k2*k;
  constant Real small = 1e-6;
  Real internal(start = 0, fixed = true);
  model Wear
    Real w(start = 0, fixed = true);
  equation
    der(w) = small;
  end Wear;
  Wear wear;
public
  Real efficiency = 1 - wear.w;
equation
  der(internal) = speed - internal;
  flowRate = k3*internal*efficiency;
end Pump;

model ProtectedParts
  Pump p1(speed = time), p2(k = 2, speed = 1);
protected
  Real total = p1.flowRate + p2.flowRate;
end ProtectedParts;
