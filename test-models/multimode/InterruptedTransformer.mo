//! run: restart --from closed=true --to closed=false --at transformer.i1=2,transformer.i2=0 --format json
//! approx: /right/transformer.i1 == 0 +- 1e-9
//! approx: /right/transformer.i2 == 0.5 +- 1e-9
//! run: transitions --from closed=true --to closed=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/transformer.v1 == "1"
//! json: /transitions/0/jumps len 2
// The primary current of two coupled coils is interrupted: the flux of the secondary M*i1 + L2*i2 is kept,
// because its resistor allows no impulsive voltage.
model InterruptedTransformer
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 12);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.Resistor winding(R = 6);
  Modelica.Electrical.Analog.Basic.Resistor load(R = 50);
  Modelica.Electrical.Analog.Basic.Transformer transformer(L1 = 1, L2 = 4, M = 1);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch;
  input Boolean closed(start = true);
equation
  switch.control = closed;
  connect(source.p, switch.p);
  connect(switch.n, winding.p);
  connect(winding.n, transformer.p1);
  connect(transformer.n1, source.n);
  connect(source.n, ground.p);
  connect(transformer.p2, load.p);
  connect(load.n, transformer.n2);
  connect(transformer.n2, ground.p);
end InterruptedTransformer;
