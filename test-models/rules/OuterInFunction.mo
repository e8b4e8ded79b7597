//! run: check --class OuterInFunction
//! exit: 1
//! code: MS2031 line 9
// A function has no instance around it, so nothing in it is `outer`: that alone is told, although there is an `inner`.
model OuterInFunction
  inner parameter Real table = 2;
  function look
    input Real x;
    outer Real table;
    output Real y;
  algorithm
    y := x*table;
  end look;
  Real y = look(time);
end OuterInFunction;
