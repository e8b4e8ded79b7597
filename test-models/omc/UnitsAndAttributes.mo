//! run: flatten --class UnitsAndAttributes
// Attributes of all predefined types: units, display units, quantity, bounds, nominal, stateSelect, start arrays, unbounded.
type Pressure = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar", min = 0, nominal = 1e5);
type Ratio = Real(unit = "1", min = 0, max = 1);

model UnitsAndAttributes
  parameter Pressure pMax = 5e5;
  Pressure p(start = 1e5, fixed = true, max = pMax, stateSelect = StateSelect.prefer);
  Real v(unit = "m3/s", displayUnit = "l/min", unbounded = true);
  Ratio opening(start = 0.5) = 0.5 + 0.4*sin(time);
  Integer count(min = 0, max = 100, start = 1, fixed = true, quantity = "Count");
  Boolean on(start = true, fixed = true, quantity = "Switch");
  parameter String label(start = "x") = "main";
  Real q[2](unit = {"m", "kg"}, nominal = {1, 1e3}, stateSelect = {StateSelect.never, StateSelect.always});
  Real derivative(unit = "Pa/s") = der(p);
equation
  v = opening*1e-6*p;
  der(p) = -1e7*v;
  when p < 5e4 then
    on = false;
    count = pre(count) + 1;
  end when;
  der(q) = {1, -1};
end UnitsAndAttributes;
