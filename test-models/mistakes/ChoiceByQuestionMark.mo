//! exit: 1
//! code: MS0009 line 10
//! snapshot
//! mend: 10:   inflow = if level < 2 then 0.1 else 0;
// Wrong: the choice between two values as other languages write it.
model ChoiceByQuestionMark
  Real level(start = 1, fixed = true);
  Real inflow;
equation
  inflow = level < 2 ? 0.1 : 0;
  der(level) = inflow - 0.05*level;
end ChoiceByQuestionMark;
