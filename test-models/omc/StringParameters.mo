//! run: flatten --class StringParameters
// String parameters: concatenation, comparison, escapes, String() of all types with formats, choice by a String.
type Fluid = enumeration(water, air);

function describe
  input String name;
  input Real value;
  input Integer digits = 3;
  output String text;
algorithm
  text := name + " = " + String(value, significantDigits = digits);
end describe;

model StringParameters
  parameter String name = "pump";
  parameter String file = name + ".txt";
  constant String quoted = "line one\nsays \"hello\"\ttab \\ end";
  parameter String kind = "fast";
  parameter Real k = if kind == "fast" then 10 else 1;
  parameter String num = String(12) + String(true) + String(Fluid.air);
  parameter String wide = String(1.5, minimumLength = 8, leftJustified = false);
  parameter String text = describe(name, k);
  parameter String list[2] = {"a", name};
  parameter Fluid fluid = Fluid.water;
  parameter Boolean later = "abc" < name;
  Real x = k*time;
end StringParameters;
