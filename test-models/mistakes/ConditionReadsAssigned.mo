//! code: MS4019 line 9
//! snapshot
//! mend: 9:   when h <= 0 and not pre(landed) then
// Wrong: the condition reads what the `when` assigns.
model ConditionReadsAssigned
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean landed(start = false, fixed = true);
equation
  when h <= 0 and not landed then
    landed = true;
    reinit(v, 0);
  end when;
  der(h) = v;
  der(v) = if landed then 0 else -9.81;
end ConditionReadsAssigned;
