//! run: flatten --class OverconstrainedArray
//! stdout: OverconstrainedArray.Angles.equalityConstraint(
// The over-determined part of a connector is a type that is an array and has its own `equalityConstraint`.
model OverconstrainedArray
  type Pair = Real[2];
  type Angles
    extends Pair;
    function equalityConstraint
      input Angles a;
      input Angles b;
      output Real residue[1];
    algorithm
      residue[1] := a[1] - b[1];
    end equalityConstraint;
  end Angles;
  connector Frame
    Angles angles;
    flow Real f[1];
  end Frame;
  model Fixed
    Frame frame;
  equation
    Connections.root(frame.angles);
    frame.angles = {sin(time), cos(time)};
  end Fixed;
  model Rod
    Frame a, b;
  equation
    Connections.branch(a.angles, b.angles);
    a.angles = b.angles;
    a.f + b.f = {0};
  end Rod;
  Fixed ground;
  Rod left, right;
equation
  connect(ground.frame, left.a);
  connect(ground.frame, right.a);
  connect(left.b, right.b);
end OverconstrainedArray;
