//! run: flatten --class OverconstrainedFrame
// Overconstrained connectors: planar frames with an orientation of two numbers, a four-bar loop, one cut with equalityConstraint.
type Pair = Real[2];

type Orientation
  extends Pair;
  function equalityConstraint
    input Orientation R1;
    input Orientation R2;
    output Real residue[1];
  algorithm
    residue := {R1[1]*R2[2] - R1[2]*R2[1]};
  end equalityConstraint;
end Orientation;

connector Frame
  Real r[2];
  flow Real f[2];
  Orientation R "cosine and sine of the frame angle";
  flow Real t;
end Frame;

model World
  Frame frame;
equation
  Connections.root(frame.R);
  frame.r = {0, 0};
  frame.R = {1, 0};
end World;

model Bar
  Frame a, b;
  parameter Real L = 1;
equation
  Connections.branch(a.R, b.R);
  b.R = a.R;
  b.r = a.r + L*a.R;
  a.f + b.f = {0, 0};
  a.t + b.t + L*(a.R[1]*b.f[2] - a.R[2]*b.f[1]) = 0;
end Bar;

model Revolute
  Frame a, b;
  Real phi;
  Real tau;
equation
  Connections.branch(a.R, b.R);
  b.R = {a.R[1]*cos(phi) - a.R[2]*sin(phi), a.R[2]*cos(phi) + a.R[1]*sin(phi)};
  a.r = b.r;
  a.f + b.f = {0, 0};
  a.t + b.t = 0;
  tau = b.t;
end Revolute;

model OverconstrainedFrame
  World world;
  Bar ground(L = 4), crank, coupler(L = 4), rocker(L = 2.5);
  Revolute j1(phi = time), j2(tau = 0), j3(tau = 0), j4(tau = 0);
equation
  connect(world.frame, ground.a);
  connect(world.frame, j1.a);
  connect(j1.b, crank.a);
  connect(crank.b, j2.a);
  connect(j2.b, coupler.a);
  connect(coupler.b, j3.a);
  connect(j3.b, rocker.a);
  connect(rocker.b, j4.a);
  connect(j4.b, ground.b);
end OverconstrainedFrame;
