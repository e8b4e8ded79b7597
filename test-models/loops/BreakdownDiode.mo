//! run: check --deny fixpoints
//! run: modes --format json
//! json: /loops/0/status == "unique"
//! json: /loops/0/procedure contains "slopes between their bounds"
model BreakdownDiode "A current that rises with the voltage, exponentially, and below the breakdown linearly"
  parameter Real r = 10, vb = -5;
  input Real u;
  Real v, i;
equation
  u = v + r*i;
  i = if v > vb then 1e-6*(exp(v/0.03) - exp(vb/0.03)) + 1e-3*v else 1e-3*vb + 0.5*(v - vb);
end BreakdownDiode;
