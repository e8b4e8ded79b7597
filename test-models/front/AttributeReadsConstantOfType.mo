//! run: flatten --class AttributeReadsConstantOfType
//! stdout: Real p(unit = "Pa", start = 101325.0) = 101325.0;
//! stdout: Real h(min = 0.0, start = 20.0) = 20.0;
// The attributes of a type may read a constant of that very type: its value does not need them.
package Medium
  type Pressure = Real(unit = "Pa", start = reference);
  constant Pressure reference = 101325;
end Medium;
package General
  type Height = Real(min = 0);
  constant Height usual = 20;
end General;
package Special
  extends General(Height(start = usual));
end Special;
model AttributeReadsConstantOfType
  Medium.Pressure p = Medium.reference;
  Special.Height h = Special.usual;
end AttributeReadsConstantOfType;
