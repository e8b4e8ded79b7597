//! exit: 1
//! code: MS2024 line 15
//! snapshot
//! mend: 15:   (r1, r2) = solve(1, -3 - time, 2);
model OutputsInBraces "Roots of a quadratic equation"
  function solve
    input Real a, b, c;
    output Real x1, x2;
  algorithm
    x1 := (-b + sqrt(b^2 - 4*a*c))/(2*a);
    x2 := (-b - sqrt(b^2 - 4*a*c))/(2*a);
  end solve;
  Real r1, r2;
equation
  {r1, r2} = solve(1, -3 - time, 2);
end OutputsInBraces;
