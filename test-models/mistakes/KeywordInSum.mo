//! exit: 1
//! code: MS0015 line 8
//! snapshot
// Wrong: a keyword is the name of a variable that sums and products use.
model KeywordInSum
  parameter Real k = 2;
  Real T(start = 300, fixed = true);
  Real flow;
equation
  flow = k*(T - 280);
  der(T) = -flow/1000;
end KeywordInSum;
