//! run: check
//! run: simulate --format json
//! approx: /final/y == 1 +- 1e-9
//! run: flatten
//! stdout: class RedundantConnections
// Connecting three nodes pairwise, or two of them twice, says no more than is needed to join them: such connections add no
// constraint (Modelica 3.6 §9.4.2), while a ring through a component does.
package Net
  type Pair = Real[2];
  type Reference "cosine and sine of an angle"
    extends Pair;
    function equalityConstraint
      input Reference a;
      input Reference b;
      output Real residue[1] = {a[1]*b[2] - a[2]*b[1]};
    end equalityConstraint;
  end Reference;
  connector Node
    Real v;
    flow Real i;
    Reference r;
    flow Real t "turns the reference";
  end Node;
  model Source
    Node n;
  equation
    Connections.root(n.r);
    n.r = {cos(time), sin(time)};
    n.v = 1;
  end Source;
  model Load
    Node n;
  equation
    n.v = n.i;
    n.t = n.v;
  end Load;
end Net;

model RedundantConnections
  Net.Source source;
  Net.Load a, b;
  Real y = a.n.r[1]^2 + b.n.r[2]^2;
equation
  connect(source.n, a.n);
  connect(a.n, b.n);
  connect(b.n, source.n);
  connect(a.n, source.n);
end RedundantConnections;
