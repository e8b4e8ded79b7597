//! run: flatten --class RedeclareElement
// Redeclaration as an element of the extending class (redeclare in the class body), with added components.
model Medium
  Real p(unit = "Pa"), T(unit = "K"), d;
end Medium;

model IdealGas
  extends Medium;
  parameter Real R = 287;
equation
  d = p/(R*T);
end IdealGas;

model Water
  extends Medium;
equation
  d = 1000;
end Water;

model Vessel
  replaceable Medium medium constrainedby Medium(p = p0);
  replaceable parameter Real size = 1;
  parameter Real p0 = 1e5;
  Real mass = medium.d*size;
equation
  medium.T = 300 + time;
end Vessel;

model GasVessel
  extends Vessel;
  redeclare IdealGas medium(R = 300, p = 2*p0);
  redeclare parameter Real size = 2;
end GasVessel;

model WaterVessel
  extends Vessel(size = 3);
  redeclare replaceable Water medium(p = p0 + 10);
end WaterVessel;

model RedeclareElement
  GasVessel gas;
  WaterVessel water(p0 = 3e5);
end RedeclareElement;
