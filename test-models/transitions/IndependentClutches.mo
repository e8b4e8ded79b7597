//! run: transitions --format json
//! json: /truncated == false
//! json: /change_count == 106496
//! json: /transitions len 26
//! json: /independent len 13
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/count == 4096
//! json: /transitions/0/jumps contains "w1[1]"
//! json: /transitions/25/from/g[13] == true
//! run: restart --from g[7]=false --to g[7]=true --at w1[7]=1,w2[7]=4 --format json
//! approx: /right/w1[7] == 3 +- 1e-9
//! approx: /weights/t[7] == -2 +- 1e-9
// Thirteen clutches that have nothing to do with each other: 2^13 modes, 26 changes to look at.
model IndependentClutches
  parameter Integer n = 13;
  Real w1[n](each start = 1), w2[n](each start = 2), t[n];
  input Boolean g[n];
equation
  for k in 1:n loop
    der(w1[k]) = -t[k];
    2*der(w2[k]) = t[k];
    0 = if g[k] then w1[k] - w2[k] else t[k];
  end for;
end IndependentClutches;
