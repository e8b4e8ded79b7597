//! run: simulate --format json
//! json: /completed == true
//! approx: /final/total == 0.6 +- 1e-9
//! approx: /final/largest[2] == 3 +- 1e-9
// An array that is filled element by element, with a subscript that changes, goes to a function as a whole.
model BufferToFunction
  function summary
    input Real u[:];
    input Integer n;
    output Real total;
    output Real largest[n];
  algorithm
    total := sum(u);
    for i in 1:n loop
      largest[i] := size(u, 1) - n + i;
    end for;
  end summary;

  Integer k(start = 0, fixed = true);
  Real buffer[3](each start = 0, each fixed = true);
  Real total(start = 0, fixed = true);
  Real largest[2](each start = 0, each fixed = true);
algorithm
  when sample(0.1, 0.1) then
    k := pre(k) + 1;
    if k <= 3 then
      buffer[k] := time;
    end if;
    if k == 3 then
      (total, largest) := summary(buffer, 2);
    end if;
  end when;
  annotation(experiment(StopTime = 0.5));
end BufferToFunction;
