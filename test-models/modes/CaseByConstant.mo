//! run: check --deny warnings
//! stdout: no errors
//! run: modes --format json
//! json: /care/0/reason == "constant"
//! json: /classes len 1
// The port of a vessel: a connected level decides between the cases. Here a constant does: `flooded` never changes, so the case
// in which two equations prescribe the flow does not exist, and its equations are no mistake.
model CaseByConstant
  Real level, height, inflow, pressure;
  Boolean flooded = level >= height;
equation
  level = 0.5;
  height = level - 0.5;
  inflow = 2*sin(time);
  if flooded then
    pressure = 1e5 + 1e4*(level - height);
  else
    inflow = 0;
  end if;
end CaseByConstant;
