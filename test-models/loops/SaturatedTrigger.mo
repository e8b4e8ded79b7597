//! run: modes --format json
//! json: /loops/0/status == "hysteresis"
//! json: /loops/0/witness/fits len 3
// A limited amplifier with positive feedback: three valuations fit for small inputs, and each hands over to one.
model SaturatedTrigger
  parameter Real k = -2;
  input Real u;
  Real e, y;
equation
  e = u - k*y;
  y = if e > 1 then 1 elseif e < -1 then -1 else e;
end SaturatedTrigger;
