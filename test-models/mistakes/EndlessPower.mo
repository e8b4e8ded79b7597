//! exit: 1
//! code: MS2079 line 6
//! snapshot
//! mend: 11:     y := if n == 0 then 1 else x*power(x, n - 1);
model EndlessPower "Power by squaring without its last case"
  function power
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := x*power(x, n - 1);
  end power;
  Real y = power(time, 3);
end EndlessPower;
