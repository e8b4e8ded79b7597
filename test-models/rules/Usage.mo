//! run: check --class ConditionalReadWrong
//! exit: 1
//! code: MS2078 line 33
//! run: check --class ConditionalRead
//! run: check --class UnevenPlugWrong
//! exit: 1
//! code: MS3010 line 43
//! run: check --class UnevenPlug
//! run: check --class ConstantToParameterWrong
//! exit: 1
//! code: MS3002 line 92
//! run: check --class ConstantToParameter
//! run: check --class RangeFromTwoSizesWrong
//! exit: 1
//! code: MS2024 line 105
//! run: check --class RangeFromTwoSizes
//! run: check --class CalledClassWrong
//! exit: 1
//! code: MS2042 line 122
//! run: check --class CalledClass
//! run: check --class EmptyBracesWrong
//! exit: 1
//! code: MS2040 line 129
//! run: check --class EmptyBraces
// What may be used where, each rule kept and broken. The line of the mistake is the one
// that the message points at.
model ConditionalReadWrong
  parameter Boolean measured = true;
  Real level = 2 + time;
  Real shown = level if measured;
  Real doubled;
equation
  doubled = 2*shown;
end ConditionalReadWrong;
model ConditionalRead
  parameter Boolean measured = true;
  Real level = 2 + time;
  Real shown = level if measured;
  Real doubled;
equation
  doubled = 2*level;
end ConditionalRead;
connector UnevenPlugShape
  Real pressure;
  Real colour;
  flow Real mass;
end UnevenPlugShape;
connector EvenPlugShape
  Real pressure;
  flow Real mass;
end EvenPlugShape;
model UnevenPlugWrong
  UnevenPlugShape plug;
equation
  plug.pressure = 1;
  plug.colour = 2;
end UnevenPlugWrong;
model UnevenPlug
  EvenPlugShape plug;
equation
  plug.pressure = 1;
end UnevenPlug;
connector WithConstant
  constant Integer phases = 3;
  Real v;
  flow Real i;
end WithConstant;
connector WithParameter
  parameter Integer phases = 3;
  Real v;
  flow Real i;
end WithParameter;
model EndA
  WithConstant p;
equation
  p.v = 1;
end EndA;
model EndB
  WithParameter p;
equation
  p.i = 1;
end EndB;
model EndC
  WithConstant p;
equation
  p.i = 1;
end EndC;
model ConstantToParameterWrong
  EndA a;
  EndB b;
equation
  connect(a.p, b.p);
end ConstantToParameterWrong;
model ConstantToParameter
  EndA a;
  EndC c;
equation
  connect(a.p, c.p);
end ConstantToParameter;
model RangeFromTwoSizesWrong
  Real x[3];
  Real y[4] = {1, 2, 3, 4};
algorithm
  for i loop
    x[i] := y[i];
  end for;
end RangeFromTwoSizesWrong;
model RangeFromTwoSizes
  Real x[3];
  Real y[3] = {1, 2, 3};
algorithm
  for i loop
    x[i] := y[i];
  end for;
end RangeFromTwoSizes;
function Twice
  input Real x;
  output Real y = 2*x;
end Twice;
model CalledClassWrong
  class Double = Twice;
  Real x = Double(time);
end CalledClassWrong;
model CalledClass
  function Double = Twice;
  Real x = Double(time);
end CalledClass;
model EmptyBracesWrong
  Real none[0] = {};
end EmptyBracesWrong;
model EmptyBraces
  Real none[0] = zeros(0);
end EmptyBraces;
