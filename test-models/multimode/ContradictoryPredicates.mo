//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
// x > 1 and x < -1 cannot both hold: three modes.
model ContradictoryPredicates
  Real x(start = 0), f;
equation
  der(x) = cos(time) - f;
  f = if x > 1 then 10*(x - 1) elseif x < -1 then 10*(x + 1) else 0;
end ContradictoryPredicates;
