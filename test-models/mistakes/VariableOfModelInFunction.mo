//! exit: 1
//! code: MS2025 line 13
//! snapshot
//! mend: 10+:     input Real k;
//! mend: 15:   Real y = scaled(time, k);
// Wrong: a function reads a variable of the model.
model VariableOfModelInFunction
  parameter Real k = 2;
  function scaled
    input Real u;
    output Real y;
  algorithm
    y := k*u;
  end scaled;
  Real y = scaled(time);
end VariableOfModelInFunction;
