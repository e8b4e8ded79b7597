//! run: flatten --class ElecUnconnected
// Unconnected flows: an open pin inside, an open array of pins, and pins of the model itself.
connector Pin
  Real v;
  flow Real i;
end Pin;

model Tap "A resistor with an extra probe pin"
  Pin a, b;
  Pin probe;
  parameter Real R = 2;
equation
  a.v - probe.v = R/2*a.i;
  probe.v - b.v = -R/2*b.i;
  a.i + b.i + probe.i = 0;
end Tap;

model Strip "A conductor with n open probes"
  parameter Integer n = 3;
  Pin p;
  Pin probes[n];
equation
  for k in 1:n loop
    probes[k].v = p.v;
  end for;
  p.i + sum(probes.i) = 0;
end Strip;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ElecUnconnected
  Pin outer_a, outer_b "pins of the top model: seen from inside as outside connectors";
  Tap tap;
  Strip strip(n = 2);
  Ground ground;
equation
  outer_b.v = 5;
  connect(ground.p, strip.p);
  connect(outer_a, tap.a);
  connect(tap.b, strip.p);
end ElecUnconnected;
