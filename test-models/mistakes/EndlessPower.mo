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
