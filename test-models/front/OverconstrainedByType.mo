//! run: check
//! exit: 0
// Connectors no operator names are overconstrained too, by the type of their member: the loop through both
// branches of `Star` must be cut although nothing says `Connections.branch` of `pin`. Uncut, there is one
// equation too many.
model OverconstrainedByType
  record Reference
    Real angle;
    function equalityConstraint
      input Reference a;
      input Reference b;
      output Real residue[0];
    algorithm
      assert(abs(a.angle - b.angle) < 1e-6, "not equal");
    end equalityConstraint;
  end Reference;
  connector Pin
    Real v;
    flow Real i;
    Reference reference;
  end Pin;
  model Branch
    Pin a, b;
  equation
    Connections.branch(a.reference, b.reference);
    a.reference.angle = b.reference.angle;
    a.v - b.v = a.i;
    a.i + b.i = 0;
  end Branch;
  model Ground
    Pin p;
  equation
    Connections.root(p.reference);
    p.reference.angle = time;
    p.v = 0;
  end Ground;
  model Star
    Pin pin[2];
    Branch branch[2];
    Pin n;
  equation
    for i in 1:2 loop
      connect(pin[i], branch[i].a);
      connect(branch[i].b, n);
    end for;
  end Star;
  Star star;
  Ground ground;
  Pin pin[2];
equation
  connect(star.n, ground.p);
  connect(star.pin, pin);
  connect(pin[1], pin[2]);
end OverconstrainedByType;
