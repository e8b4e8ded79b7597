//! exit: 1
//! code: MS0004
//! snapshot
model ElseIfBeforeAnnotation
  Real u = sin(time);
  Real y;
equation
  if u < -0.5 then
    y = -0.5;
  else if u < 0.5 then
    y = u;
  else
    y = 0.5;
  end if;
  annotation(experiment(StopTime = 10));
end ElseIfBeforeAnnotation;
