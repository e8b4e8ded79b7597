//! run: restart --from phase=false --to phase=true --at C1.v=5,C2.v=0 --format json
//! approx: /right/C1.v == -3 +- 1e-9
//! approx: /right/C2.v == 2 +- 1e-9
//! run: restart --from phase=true --to phase=false --at C1.v=-3,C2.v=2 --format json
//! approx: /right/C1.v == 5 +- 1e-9
//! approx: /right/C2.v == 2 +- 1e-9
//! approx: /weights/C1.i == 8 +- 1e-9
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/1/verdict == "determined"
// A charge pump with ideal commuting switches: C1 is charged by the 5 V source, then stacked on the source and
// emptied into C2 = 4*C1. A charge q moves: 5 + (5 - q) = q/4, q = 8.
model ChargePump
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 5);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Basic.Capacitor C1(C = 1);
  Modelica.Electrical.Analog.Basic.Capacitor C2(C = 4);
  Modelica.Electrical.Analog.Basic.Resistor load(R = 100);
  Modelica.Electrical.Analog.Ideal.IdealCommutingSwitch top;
  Modelica.Electrical.Analog.Ideal.IdealCommutingSwitch bottom;
  input Boolean phase(start = false);
equation
  top.control = phase;
  bottom.control = phase;
  connect(source.n, ground.p);
  connect(C1.p, top.p);
  connect(C1.n, bottom.p);
  connect(top.n1, source.p);
  connect(top.n2, C2.p);
  connect(bottom.n1, ground.p);
  connect(bottom.n2, source.p);
  connect(C2.n, ground.p);
  connect(load.p, C2.p);
  connect(load.n, ground.p);
end ChargePump;
