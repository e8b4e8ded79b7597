//! run: flatten --class RedeclareClass
// Replaceable classes: redeclare model in a modification; used for a scalar and an array of components.
partial model Friction
  input Real v;
  output Real f;
end Friction;

model Viscous
  extends Friction;
  parameter Real d = 1;
equation
  f = d*v;
end Viscous;

model Quadratic
  extends Friction;
  parameter Real c = 0.5;
equation
  f = c*v*abs(v);
end Quadratic;

model Train
  replaceable model Fric = Viscous(d = 2) constrainedby Friction;
  parameter Integer n = 2;
  Fric fric[n];
  Fric air;
  Real v[n](each start = 1);
equation
  for i in 1:n loop
    fric[i].v = v[i];
    der(v[i]) = -fric[i].f;
  end for;
  air.v = v[1];
end Train;

model RedeclareClass
  Train a;
  Train b(redeclare model Fric = Quadratic(c = 0.1));
  Train c(n = 1, redeclare model Fric = Quadratic, fric(each c = 0.7));
  model Strong = Viscous(d = 100);
  Train d(redeclare model Fric = Strong);
end RedeclareClass;
