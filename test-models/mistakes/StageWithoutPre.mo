//! exit: 0
//! code: MS4008 line 11
//! snapshot
//! mend: 11:   stage = if T > hot then 2 elseif T < cold then 1 else pre(stage);
model StageWithoutPre
  parameter Real hot = 30;
  parameter Real cold = 20;
  Real T(start = 15, fixed = true);
  Integer stage(start = 1, fixed = true);
equation
  stage = if T > hot then 2 elseif T < cold then 1 else stage;
  der(T) = if stage == 1 then 1 else -1;
end StageWithoutPre;
