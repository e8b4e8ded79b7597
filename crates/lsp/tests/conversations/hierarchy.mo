//- /Hierarchy.mo
function $0square "The square"
  input Real u;
  output Real y;
algorithm
  y := u * u;
end square;
function $1norm
  input Real a;
  input Real b;
  output Real y;
algorithm
  y := sqrt(square(a) + square(b));
end norm;
partial model $2Base "The base" Real x; end Base;
model $3Middle extends Base; end Middle;
model Last extends Middle; equation x = norm(3, 4); end Last;
//? call-item $0
//? callers $0
//? callees $1
//? callers $1
//? call-item $2
//? type-item $3
//? supertypes $3
//? subtypes $3
//? subtypes $2
//? search bse
