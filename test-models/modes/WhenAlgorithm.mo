//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
//! json: /mode_count == 6
// A Boolean switched by an algorithm, held in between.
model WhenAlgorithm
  Real x(start = 0);
  Boolean up(start = true);
algorithm
  when x > 1 then
    up := false;
  elsewhen x < -1 then
    up := true;
  end when;
equation
  der(x) = if up then 1 else -1;
end WhenAlgorithm;
