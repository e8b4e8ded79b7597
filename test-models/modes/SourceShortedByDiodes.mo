//! run: check
//! exit: 1
//! code: MS4001
//! code: MS4008
//! stderr: when `not d1.off and d2.off and not d3.off and d4.off`
// A bridge of ideal diodes. With the upper two conducting, the source is shorted: its Kirchhoff laws are the same
// everywhere, but only in that mode are they dependent.
model SourceShortedByDiodes
  import Modelica.Electrical.Analog;
  Analog.Sources.SineVoltage source(V = 10, f = 50);
  Analog.Ideal.IdealDiode d1, d2, d3, d4;
  Analog.Basic.Resistor load(R = 100);
  Analog.Basic.Capacitor smoothing(C = 1e-3, v(start = 0, fixed = true));
  Analog.Basic.Ground ground;
equation
  connect(source.p, d1.p);
  connect(source.p, d2.n);
  connect(source.n, d3.p);
  connect(source.n, d4.n);
  connect(d1.n, d3.n);
  connect(d2.p, d4.p);
  connect(d1.n, load.p);
  connect(load.p, smoothing.p);
  connect(load.n, smoothing.n);
  connect(smoothing.n, d2.p);
  connect(ground.p, d2.p);
end SourceShortedByDiodes;
