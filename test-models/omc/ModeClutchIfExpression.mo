//! run: flatten --class ModeClutchIfExpression
// Multimode: the same ideal clutch with the mode inside one residual, as an if-expression.
model ModeClutchIfExpression
  parameter Real J1 = 1, J2 = 2;
  parameter Real d1 = 0.01, d2 = 0.05;
  Real w1(start = 10), w2(start = 0);
  Real tau;
  Boolean engaged;
equation
  engaged = if time < 5 then false elseif time < 10 then true else false;
  J1*der(w1) = -d1*w1 - tau;
  J2*der(w2) = -d2*w2 + tau;
  0 = if engaged then w1 - w2 else tau;
end ModeClutchIfExpression;
