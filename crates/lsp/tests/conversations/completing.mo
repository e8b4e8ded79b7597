//- /Lib/package.mo closed
within;
package Lib "A library"
  constant Real scale = 2 "How large";
  protected constant Real hidden = 1;
end Lib;
//- /Lib/Gear.mo closed
within Lib;
model Gear "Two shafts" parameter Real ratio = 1; end Gear;
//- /Completing.mo
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin "Two pins"
  Pin p "plus";
  Pin n "minus";
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R(unit = "Ohm") = 1 "resistance";
  final parameter Real G = 1 / R;
  replaceable model Heat = TwoPin;
protected
  Real inner_value;
equation
  p.v - n.v = R * p.i;
  p.i + n.i = 0;
  inner_value = 1;
end Resistor;
type Level = enumeration(low "little", high);
function area "Of a rectangle"
  input Real width "one side";
  input Real height = 1;
  output Real a;
algorithm
  a := width * height;
end area;
model Completing "What is written: $0 nothing"
  // nothing in $1 comments
  Resistor r1($2), r2(R($3));
  Integer k($4);
  Boolean b($5);
  Level level($6);
  extends $7;
  Real $8;
equation
  connect($9);
end Completing;
//? search Gear
//? completion $0
//? completion $1
//? completion $2
//? completion $3
//? completion $4
//? completion $5
//? completion $6
//? completion $7
//? completion $8
//? completion $9
