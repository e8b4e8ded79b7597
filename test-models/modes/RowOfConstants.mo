//! run: check
//! stdout: no errors
//! run: simulate --format json --stop-time 0.95
//! json: /completed == true
//! approx: /final/b[1] == 1 +- 0
//! approx: /final/b[2] == 0 +- 0
//! approx: /final/y[1] == 1 +- 1e-12
//! approx: /final/y[2] == 2 +- 1e-12
// A row of a table of constants is chosen while the model runs: each of its elements is an element chosen by the same number.
model RowOfConstants
  constant Boolean fire[3, 2] = [true, false; false, true; true, true];
  constant Real level[3, 2] = [1, 2; 3, 4; 5, 6];
  discrete Integer k(start = 3, fixed = true);
  Boolean b[2];
  Real y[2];
equation
  when sample(0, 0.3) then
    k = mod(pre(k), 3) + 1;
  end when;
  if time < 0.5 then
    b = fill(false, 2);
  else
    b = fire[k, :];
  end if;
  y = level[k, :];
end RowOfConstants;
