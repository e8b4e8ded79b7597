//! run: check --class Wider
//! run: check --class WiderClass
//! run: check --class WiderAgain
//! run: check --class TooWide
//! exit: 1
//! code: MS2011
// A redeclaration without `constrainedby` keeps the constraining type of the first declaration: the next one need not fit the
// one between them.
partial block Filter
  Real u = time;
  Real y;
end Filter;
block Gain
  extends Filter;
  parameter Real k = 2;
equation
  y = k*u;
end Gain;
block Lag
  extends Filter(y(start = 0, fixed = true));
  parameter Real delay = 0.1;
equation
  delay*der(y) = u - y;
end Lag;
block Half
  Real u = time;
end Half;
model Chain
  replaceable Gain element constrainedby Filter;
  replaceable block Kind = Gain constrainedby Filter;
  Kind other;
end Chain;
model LagChain
  extends Chain(redeclare replaceable Lag element(delay = 0.2), redeclare replaceable block Kind = Lag);
end LagChain;
model BodyChain
  extends Chain;
  redeclare replaceable Lag element;
end BodyChain;
model Wider
  extends LagChain(redeclare Gain element(k = 3));
end Wider;
model WiderClass
  extends LagChain(redeclare block Kind = Gain);
end WiderClass;
model WiderAgain
  extends BodyChain;
  redeclare Gain element;
end WiderAgain;
model TooWide
  extends LagChain(redeclare Half element);
end TooWide;
