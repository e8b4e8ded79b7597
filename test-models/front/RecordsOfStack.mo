//! run: flatten
//! stdout: s.c[2].x[2] = 2.0 * time
//! run: simulate --stop-time 1 --format json
//! approx: /final/s.c[2].x[2] == 8 +- 1e-12
// A record in an array of records that is a field of a record given as a whole: each element has its own fields.
model RecordsOfStack
  record Data
    parameter Integer n = 1;
    parameter Real v[n] = fill(1, n);
  end Data;
  record Stack
    parameter Integer size = 1;
    parameter Integer bad = 0;
    parameter Data good, worse;
    parameter Data cell[size] = {if k == bad then worse else good for k in 1:size};
  end Stack;
  model Cell
    parameter Data data;
    Real x[data.n];
  equation
    for k in 1:data.n loop
      x[k] = k*time*data.v[k];
    end for;
  end Cell;
  model Stacked
    parameter Stack stack;
    Cell c[stack.size](data = stack.cell);
  end Stacked;
  parameter Data good(n = 2, v = {1, 2});
  parameter Data worse(n = 2, v = {3, 4});
  parameter Stack stack(size = 3, bad = 2, good = good, worse = worse);
  Stacked s(stack = stack);
end RecordsOfStack;
