//! run: flatten --class OverconstrainedRoots
// Overconstrained connectors as record: potentialRoot, isRoot and rooted choose the equations of a reference angle.
record Reference
  Real theta;
  function equalityConstraint
    input Reference a;
    input Reference b;
    output Real residue[0];
  algorithm
    for k in 1:0 loop
      residue[k] := 0;
    end for;
  end equalityConstraint;
end Reference;

connector Terminal
  Real v[2];
  flow Real i[2];
  Reference ref;
end Terminal;

model Generator
  Terminal t;
  parameter Real w = 314;
  parameter Integer prio = 0;
equation
  Connections.potentialRoot(t.ref, prio);
  if Connections.isRoot(t.ref) then
    t.ref.theta = w*time;
  end if;
  t.v = {230, 0};
end Generator;

model Line
  Terminal a, b;
  parameter Real R = 1, L = 0.1;
  Real w = der(a.ref.theta);
equation
  Connections.branch(a.ref, b.ref);
  a.ref.theta = b.ref.theta;
  if Connections.rooted(a.ref) then
    a.v - b.v = R*a.i + L*w*{-a.i[2], a.i[1]};
  else
    b.v - a.v = R*b.i + L*w*{-b.i[2], b.i[1]};
  end if;
  a.i + b.i = {0, 0};
end Line;

model OverconstrainedRoots
  Generator g1(prio = 1), g2;
  Line line, parallel(R = 2);
equation
  connect(g1.t, line.a);
  connect(line.b, g2.t);
  connect(g1.t, parallel.a);
  connect(parallel.b, g2.t);
end OverconstrainedRoots;
