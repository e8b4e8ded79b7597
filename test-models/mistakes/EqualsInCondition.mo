//! exit: 1
//! code: MS0008 line 10
//! snapshot
//! mend: 10:   ratio = if gear == 2 then 0.5 else 1;
// Wrong: a single equals sign compares.
model EqualsInCondition
  parameter Integer gear = 2;
  Real ratio;
equation
  ratio = if gear = 2 then 0.5 else 1;
end EqualsInCondition;
