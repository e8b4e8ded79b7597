//! run: check --deny warnings
//! exit: 1
//! code: MS0002 line 11
//! snapshot
//! mend: 10:   der(x) = -x;
// Wrong: without `;` the annotation is one of the equation, and the stop time is not used.
model ExperimentOfEquation
  Real x(start = 1, fixed = true);
equation
  der(x) = -x
  annotation(experiment(StopTime = 2));
end ExperimentOfEquation;
