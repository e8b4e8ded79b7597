//! run: flatten --class FunctionOutputs
// Functions with several outputs: tuple equations with gaps, in equations and algorithms, defaults and named arguments.
function polar
  input Real x, y;
  input Boolean degrees = false;
  output Real r;
  output Real phi;
  output Integer quadrant = if x >= 0 then (if y >= 0 then 1 else 4) else (if y >= 0 then 2 else 3);
algorithm
  r := sqrt(x^2 + y^2);
  phi := atan2(y, x);
  if degrees then
    phi := phi*180/3.14159265358979;
  end if;
end polar;

function minMax
  input Real v[:];
  output Real lo, hi;
algorithm
  lo := v[1];
  hi := v[1];
  for e in v loop
    lo := min(lo, e);
    hi := max(hi, e);
  end for;
end minMax;

model FunctionOutputs
  Real r, phi, onlyPhi, a, b, c;
  Real first = polar(time, 1.0) "the first output only";
equation
  (r, phi) = polar(cos(time), y = sin(time), degrees = true);
  (, onlyPhi) = polar(x = 1, y = time);
  (a, b) = minMax({time, 1 - time, 0.5});
algorithm
  (c, ) := minMax({r, phi});
  c := 2*c;
end FunctionOutputs;
