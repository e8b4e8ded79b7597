//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 8
//! json: /components len 3
//! json: /classes len 4
//! json: /classes/0/dof == 6
//! json: /classes/1/dof == 3
//! json: /classes/1/count == 1
//! json: /classes/3/dof == 5
//! json: /classes/3/count == 3
//! json: /components/0/classes/1/index == 1
// Three clutches that have nothing to do with each other.
model IndependentClutches
  parameter Integer n = 3;
  Real w1[n](each start = 1);
  Real w2[n](each start = 2);
  Real f[n];
  input Boolean g[n];
equation
  for k in 1:n loop
    der(w1[k]) = f[k];
    2*der(w2[k]) = -f[k];
    0 = if g[k] then w1[k] - w2[k] else f[k];
  end for;
end IndependentClutches;
