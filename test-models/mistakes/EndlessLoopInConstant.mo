//! run: check
//! exit: 1
//! code: MS2029 line 10
// A constant whose function never ends: the loop is told, wherever the evaluation began.
model EndlessLoopInConstant
  function f
    output Integer n;
  algorithm
    n := 0;
    while true loop
      n := n + 1;
    end while;
  end f;
  constant Integer n = f();
  Real x[n];
equation
  x = zeros(n);
end EndlessLoopInConstant;
