//! run: check --class TwoOutputs
//! exit: 1
//! code: MS3009 line 33
//! run: check --class TwoInputs
//! exit: 1
//! code: MS3009 line 38
//! run: check --class InputAndOutput
//! exit: 1
//! code: MS3009 line 47
//! run: check --class ByWayOfAnother
//! exit: 1
//! code: MS3009
//! run: check --class SignalToPlain
//! exit: 1
//! code: MS3002 line 80
//! run: check --class ConstantsDiffer
//! exit: 1
//! code: MS3002 line 101
// Wrong: connected signals have two sources, signals are connected to variables without direction, connected
// constants differ.
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
block Pass
  RealInput u;
  RealOutput y = u;
end Pass;
model TwoOutputs
  Source a, b;
equation
  connect(a.y, b.y);
end TwoOutputs;
block Inputs
  RealInput u, v;
equation
  connect(u, v);
end Inputs;
model TwoInputs
  Inputs inputs(u = 1);
end TwoInputs;
block Both
  RealInput u;
  Source source;
equation
  connect(u, source.y);
end Both;
model InputAndOutput
  Both both;
end InputAndOutput;
model ByWayOfAnother
  Source a, b;
  Pass pass;
equation
  connect(a.y, pass.u);
  connect(pass.u, b.y);
end ByWayOfAnother;
connector Plain
  Real v;
  flow Real i;
end Plain;
connector Directed
  input Real v;
  flow Real i;
end Directed;
model PlainPart
  Plain p;
equation
  p.v = 1;
end PlainPart;
model DirectedPart
  Directed p;
  Real i = p.i;
end DirectedPart;
model SignalToPlain
  PlainPart a;
  DirectedPart b;
equation
  connect(a.p, b.p);
end SignalToPlain;
connector Plug
  constant Integer m = 3;
  Real v;
  flow Real i;
end Plug;
model Part
  Plug p;
equation
  p.v = time;
end Part;
model Load
  Plug p;
equation
  p.i = 1;
end Load;
model ConstantsDiffer
  Part a(p(m = 2));
  Load b;
equation
  connect(a.p, b.p);
end ConstantsDiffer;
