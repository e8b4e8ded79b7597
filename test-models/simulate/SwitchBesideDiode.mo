//! run: simulate --format json
//! json: /completed == true
//! approx: /final/coil.i == 7 +- 1e-5
//! run: check
//! code: MS4001
//! stderr: reads the instant before
//! run: modes --format json
//! code: MS4001
//! json: /verdict == "accepted"
//! run: transitions
//! code: MS5014
//! stderr: reads the instant before
// A buck stage: the switch closes while the diode conducts. Both closed would short-circuit the source, so the diode
// blocks at that instant, and the current goes on without a jump. All commands say so: the mode that the run goes around is
// a warning, and no error.
model SwitchBesideDiode
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 12);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch;
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(s(start = 1));
  Modelica.Electrical.Analog.Basic.Inductor coil(L = 1, i(start = 1, fixed = true));
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  switch.control = time >= 0.5;
  connect(source.p, switch.p);
  connect(switch.n, coil.p);
  connect(diode.n, coil.p);
  connect(diode.p, ground.p);
  connect(source.n, ground.p);
  connect(coil.n, ground.p);
  annotation(experiment(StopTime = 1));
end SwitchBesideDiode;
