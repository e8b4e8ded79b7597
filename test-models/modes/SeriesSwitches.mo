//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4001
// Two ideal switches in series: when both are open the voltage between them is not determined.
model SeriesSwitches
  parameter Real R = 10;
  input Boolean a;
  input Boolean b;
  Real i;
  Real ua;
  Real ub;
equation
  10 = ua + ub + R*i;
  0 = if a then ua else i;
  0 = if b then ub else i;
end SeriesSwitches;
