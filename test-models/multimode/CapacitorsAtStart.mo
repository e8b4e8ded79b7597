//! run: restart --from initial --format json
//! approx: /right/C1.v == 4 +- 1e-9
//! approx: /right/C2.v == 4 +- 1e-9
//! approx: /right/C3.v == 4 +- 1e-9
//! run: transitions --format json
//! json: /initialisation/verdict == "determined"
//! json: /initialisation/impulsive/C1.i == "1"
// Three capacitors in parallel that start with different voltages: (1*10 + 2*1 + 3*4)/6 = 4.
model CapacitorsAtStart
  Modelica.Electrical.Analog.Basic.Capacitor C1(C = 1, v(start = 10));
  Modelica.Electrical.Analog.Basic.Capacitor C2(C = 2, v(start = 1));
  Modelica.Electrical.Analog.Basic.Capacitor C3(C = 3, v(start = 4));
  Modelica.Electrical.Analog.Basic.Resistor R(R = 10);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(C1.p, C2.p);
  connect(C2.p, C3.p);
  connect(C3.p, R.p);
  connect(C1.n, ground.p);
  connect(C2.n, ground.p);
  connect(C3.n, ground.p);
  connect(R.n, ground.p);
end CapacitorsAtStart;
