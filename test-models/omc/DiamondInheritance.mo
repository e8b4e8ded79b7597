//! run: flatten --class DiamondInheritance
// Multiple inheritance: the same component inherited on two ways counts once; equations of both parents.
partial model Named
  parameter Integer id = 0;
  Real m(unit = "kg");
end Named;

partial model Thermal
  extends Named;
  Real T(start = 300);
  parameter Real cp = 1000;
  Real H = m*cp*T;
end Thermal;

partial model Moving
  extends Named;
  Real v(start = 1);
  Real E = m*v^2/2;
end Moving;

model DiamondInheritance
  extends Thermal(cp = 4200, m(start = 1));
  extends Moving(m(start = 1));
  parameter Real rate = 0.1;
equation
  m = 5;
  der(T) = rate*E/(m*cp);
  der(v) = -rate*v;
end DiamondInheritance;
