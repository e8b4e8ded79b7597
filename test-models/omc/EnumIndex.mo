//! run: flatten --class EnumIndex
// Arrays with an enumeration (and Boolean) as index type; loops over an enumeration; size and tables.
type Phase = enumeration(solid, liquid, gas);

function total
  input Real x[Phase];
  output Real s;
algorithm
  s := 0;
  for p in Phase loop
    s := s + x[p];
  end for;
end total;

model EnumIndex
  parameter Real cp[Phase] = {2100, 4200, 1900};
  parameter Real table[Phase, 2] = [1, 2; 3, 4; 5, 6];
  parameter Real byFlag[Boolean] = {10, 20};
  parameter Phase phase = Phase.liquid;
  parameter Real chosen = cp[phase];
  Real m[Phase](each start = 1);
  Real H[Phase] = {cp[p]*m[p] for p in Phase};
  Real sumH = total(H);
  Real f = byFlag[time > 1];
  Real gasOnly = m[Phase.gas];
equation
  for p in Phase loop
    der(m[p]) = -Integer(p)*m[p] + table[p, 2];
  end for;
end EnumIndex;
