//! run: flatten --class TypeAliases
// Type aliases with attributes: chains of short type definitions, arrays as types, overriding attributes.
type Quantity = Real(start = 1);
type Length = Quantity(quantity = "Length", unit = "m");
type Height = Length(min = 0, displayUnit = "cm");
type Vector3 = Length[3];
type Grid = Real[2, 2](each unit = "K", each start = 300);
type Count = Integer(min = 0, max = 10, start = 2);
type Flag = Boolean(start = true);
type Label = String;
type Matrix = Vector3[2];

model TypeAliases
  Height h(max = 5);
  Vector3 r(start = {1, 2, 3});
  Vector3 many[2];
  Grid T;
  parameter Count n = 3;
  Matrix M;
  discrete Flag on;
  parameter Label label = "tank";
  parameter Height h0(start = 9) = 2;
equation
  der(h) = -h;
  r = {h, 2*h, 3*h};
  many = {r, -r};
  der(T) = -T + fill(300, 2, 2);
  M = transpose([r, r]);
  on = h > n;
end TypeAliases;
