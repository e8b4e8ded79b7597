//! exit: 1
//! code: MS0015 line 9
//! snapshot
//! mend: 9:   Real q;
//! mend: 12:   q = 2 + sin(time);
//! mend: 13:   der(total) = q;
// Wrong: a keyword is the name of a variable.
model KeywordForFlow
  Real flow;
  Real total(start = 0, fixed = true);
equation
  flow = 2 + sin(time);
  der(total) = flow;
end KeywordForFlow;
