//! exit: 1
//! code: MS0022 line 10
//! snapshot
//! mend: 10:   if level > level_min then
model BranchSpeltThan "Pump with a dry-run lock"
  parameter Real level_min = 0.2;
  Real level(start = 1, fixed = true);
  Real q;
equation
  if level > level_min than
    q = 0.05;
  else
    q = 0;
  end if;
  der(level) = -q;
end BranchSpeltThan;
