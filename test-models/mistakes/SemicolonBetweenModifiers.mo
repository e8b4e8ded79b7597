//! exit: 1
//! code: MS0016 line 7
//! snapshot
//! mend: 7:   Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10, f = 50);
// Wrong: `;` between two modifiers.
model SemicolonBetweenModifiers
  Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10; f = 50);
  Modelica.Electrical.Analog.Basic.Resistor r(R = 100);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, source.n);
  connect(source.n, ground.p);
end SemicolonBetweenModifiers;
