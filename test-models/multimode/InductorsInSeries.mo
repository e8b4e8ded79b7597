//! run: restart --from bypass=true --to bypass=false --at i1=3,i2=1 --format json
//! approx: /right/i1 == 1.4 +- 1e-6
//! approx: /right/i2 == 1.4 +- 1e-6
//! run: transitions --from bypass=true --to bypass=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/u == "1"
// A bypass switch between two inductors opens: their currents become one, (L1 + L2)*i = L1*i1 + L2*i2.
model InductorsInSeries
  parameter Real L1 = 1;
  parameter Real L2 = 4;
  parameter Real R = 2;
  Real i1(start = 3);
  Real i2(start = 1);
  Real u "voltage across the bypass";
  Real ib "current through the bypass";
  input Boolean bypass;
equation
  L1*der(i1) = 10 - R*i1 - u;
  L2*der(i2) = u - R*i2;
  i1 = i2 + ib;
  0 = if bypass then u else ib;
end InductorsInSeries;
