//! run: check
//! exit: 0
//! run: flatten
//! stdout: array(sin(x[$i0]) for $i0 in 1:3)
//! run: flatten --format json
//! json: /equations/0/text == "der(x[1]) = sin(x[1]);"
// Loops inside array equations are unrolled for the analyses; the printed model keeps them as OpenModelica does.
model LoopsForTheAnalysis
  function both
    input Real u[2];
    input Real s;
    output Real r[2];
  algorithm
    r := s * u;
  end both;
  Real x[3](each start = 1);
  Real w[3, 2];
  Real p;
  Boolean on[3](each start = false);
equation
  der(x) = sin(x);
  w = {both({x[i], time}, i) for i in 1:3};
  p = x[1:2] * both({x[1], x[2]}, 2);
  on = pre(on);
end LoopsForTheAnalysis;
