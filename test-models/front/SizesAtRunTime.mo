//! run: check
//! run: flatten
//! stdout: c[1:n] := fill(1.0 / /*Real*/(n), n);
// In an algorithm, `fill` may make a vector whose length changes: only sizes of declarations are fixed before the simulation.
model SizesAtRunTime
  Integer n(start = 1);
  Real c[4](each start = 0);
  discrete Real total(start = 0);
algorithm
  when sample(0, 0.1) then
    n := min(4, pre(n) + 1);
    c[1:n] := fill(1/n, n);
    total := sum(c);
  end when;
end SizesAtRunTime;
