//! exit: 1
//! code: MS0009 line 14
//! snapshot
//! mend: 14:       total := total + x[i]^2;
// Wrong: `+=` as in other languages.
model SumByPlusEquals
  function sumOfSquares
    input Real x[:];
    output Real total;
  algorithm
    total := 0;
    for i in 1:size(x, 1) loop
      // Adds a square.
      total += x[i]^2;
    end for;
  end sumOfSquares;
  Real y = sumOfSquares({time, 2, 3});
end SumByPlusEquals;
