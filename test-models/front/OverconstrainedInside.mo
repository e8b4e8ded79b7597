//! run: check --class OverconstrainedInside
// Connectors inside connectors are nodes of the graph, too: two cables in parallel make a loop in each of their wires, which is cut
// at a connection.
model OverconstrainedInside
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector Wire
    Real v;
    flow Real i;
    Angle angle;
  end Wire;
  connector Plug
    Wire wire[2];
  end Plug;
  model Source
    Plug plug;
  equation
    for k in 1:2 loop
      Connections.root(plug.wire[k].angle);
      plug.wire[k].angle = time;
      plug.wire[k].v = k;
    end for;
  end Source;
  model Cable
    Plug a, b;
  equation
    for k in 1:2 loop
      Connections.branch(a.wire[k].angle, b.wire[k].angle);
      a.wire[k].angle = b.wire[k].angle;
      a.wire[k].v - b.wire[k].v = 2*a.wire[k].i;
      a.wire[k].i + b.wire[k].i = 0;
    end for;
  end Cable;
  model Load
    Plug plug;
  equation
    for k in 1:2 loop
      plug.wire[k].v = 5*plug.wire[k].i;
    end for;
  end Load;
  Source source;
  Cable one, two;
  Load load;
equation
  connect(source.plug, one.a);
  connect(source.plug, two.a);
  connect(one.b, load.plug);
  connect(two.b, load.plug);
end OverconstrainedInside;
