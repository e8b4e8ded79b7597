//! run: check --class WhenInFunction
//! exit: 1
//! code: MS2031 line 10
// Wrong: a when-statement in a function.
function count
  input Real u;
  output Real y;
algorithm
  y := 0;
  when u > 1 then
    y := 1;
  end when;
end count;
model WhenInFunction
  Real y = count(time);
end WhenInFunction;
