//! run: flatten --class CausalBlocks
// Causal signals: input/output connectors, a closed PI control loop, top-level input and output.
connector RealInput = input Real "signal in";
connector RealOutput = output Real "signal out";

partial block SISO
  RealInput u;
  RealOutput y;
end SISO;

block FirstOrder
  extends SISO(y(start = y0, fixed = true));
  parameter Real k = 1, T = 1, y0 = 0;
equation
  T*der(y) = k*u - y;
end FirstOrder;

block PI
  extends SISO;
  parameter Real kp = 1, Ti = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = u/Ti;
  y = kp*(u + x);
end PI;

block Feedback
  RealInput u1, u2;
  output RealOutput y = u1 - u2;
end Feedback;

model CausalBlocks
  RealInput setPoint;
  RealOutput actual;
  input Real disturbance;
  Feedback diff;
  PI ctrl(kp = 5, Ti = 0.5);
  FirstOrder plant(T = 3);
equation
  connect(setPoint, diff.u1);
  connect(plant.y, diff.u2);
  connect(diff.y, ctrl.u);
  plant.u = ctrl.y + disturbance;
  connect(plant.y, actual);
end CausalBlocks;
