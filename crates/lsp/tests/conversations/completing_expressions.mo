//- /Lib/package.mo closed
within;
package Lib "A library"
  constant Real scale = 2 "How large";
protected
  constant Real hidden = 1;
end Lib;
//- /Lib/Gear.mo closed
within Lib;
model Gear "Two shafts" parameter Real ratio = 1; end Gear;
//- /Expressions.mo
type Level = enumeration(low "little", high);
function area "Of a rectangle"
  input Real width "one side";
  input Real height = 1;
  output Real a;
algorithm
  a := width * height;
end area;
model Expressions "Where values stand"
  Level level = Level.$0;
  Real x = area($1);
  Real y = Lib.$2;
  Gea$3
equation
  if x > 1 then
    y = 2;
  end $4
end Expressions;
//? search Gear
//? completion $0
//? completion $1
//? completion $2
//? completion $3
//? completion $4
