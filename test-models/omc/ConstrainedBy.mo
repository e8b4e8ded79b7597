//! run: flatten --class ConstrainedBy
// Modifications on the constraining clause survive a redeclaration; those on the replaced class do not.
model Base
  parameter Real a = 1, b = 1;
  Real y;
equation
  y = a + b;
end Base;

model One
  extends Base;
  parameter Real c = 1;
  Real z = c*time;
end One;

model Two
  extends Base;
  parameter Real d = 2;
  Real z = d*d*time;
end Two;

model Holder
  replaceable One part(a = 10, c = 20) constrainedby Base(b = 30);
  replaceable model M = One(a = 11, c = 21) constrainedby Base(b = 31);
  M m(a = 12);
end Holder;

model ConstrainedBy
  Holder h0;
  Holder h1(redeclare Two part);
  Holder h2(redeclare Two part(d = 99, b = 33));
  Holder h3(redeclare model M = Two(d = 5));
  Holder h4(redeclare model M = Two, m(b = 40));
end ConstrainedBy;
