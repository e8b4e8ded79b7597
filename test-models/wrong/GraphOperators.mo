//! run: check --class InAlgorithm
//! exit: 1
//! code: MS2043 line 32
//! run: check --class InWhen
//! exit: 1
//! code: MS2043 line 38
//! run: check --class UnderCondition
//! exit: 1
//! code: MS2043 line 45
//! run: check --class Initially
//! exit: 1
//! code: MS2043 line 51
// Wrong: the graph of overconstrained connections is fixed, but these operators stand where something may change.
type Angle
  extends Real;
  function equalityConstraint
    input Angle a;
    input Angle b;
    output Real residue[0];
  algorithm
    assert(abs(a - b) < 1e-9, "different angles");
  end equalityConstraint;
end Angle;
connector Port
  Angle theta;
  Real v;
  flow Real i;
end Port;
model InAlgorithm
  Port p(theta = 1, v = 2);
algorithm
  Connections.root(p.theta);
end InAlgorithm;
model InWhen
  Port p(theta = 1, v = 2);
equation
  when time > 1 then
    Connections.potentialRoot(p.theta);
  end when;
end InWhen;
model UnderCondition
  Port p(theta = 1, v = 2);
equation
  if time > 1 then
    Connections.root(p.theta);
  end if;
end UnderCondition;
model Initially
  Port p(theta = 1, v = 2);
initial equation
  Connections.root(p.theta);
end Initially;
