//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/z == "1"
//! run: restart --from "neg=true" --to "neg=false" --at "x1=0,x2=-1" --format json
//! approx: /right/x1 == 0.6666666667 +- 1e-9
//! approx: /right/x2 == 1.6666666667 +- 1e-9
model RoccaSwitch "A switching DAE that jumps over its switching surface"
  parameter Real b1 = 0.5;
  parameter Real b2 = 2;
  Real x1(start = -0.5);
  Real x2(start = -0.5);
  Real z;
  Boolean neg = x1 < 0;
equation
  der(x1) = 1 + b1*z;
  der(x2) = 1 + b2*z;
  0 = if neg then x1 + x2 + 1 else x2 - x1 - 1;
end RoccaSwitch;
