//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
//! json: /mode_count == 4
// Conditions on algebraic variables that can be evaluated one after another.
model ProgressiveEvaluation
  Real x(start = 1);
  Real a;
  Real b;
  Real c;
  Boolean h;
  Boolean k;
equation
  der(x) = -x + c;
  a = 2*x + 1;
  h = a > 1;
  if h then
    b = a;
  else
    b = x;
  end if;
  k = b > 2;
  if k then
    c = b;
  else
    c = 0;
  end if;
end ProgressiveEvaluation;
