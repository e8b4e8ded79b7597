//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 16
//! json: /components len 1
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 8
//! json: /classes/0/count == 4
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 5
//! json: /classes/1/count == 1
//! json: /classes/2/index == 1
//! json: /classes/2/dof == 6
//! json: /classes/2/count == 4
//! json: /classes/3/index == 1
//! json: /classes/3/dof == 7
//! json: /classes/3/count == 7
// Four branches with diodes between two nodes: index 0 only where exactly one diode passes;
// degrees of freedom 2n - 1 for none, 2n - (k - 1) for k passing ones.
model RLDC4
  parameter Integer n = 4;
  Real u;
  Real i[n];
  Real j[n](each start = -1);
  Real ud[n];
  Real v[n](each start = 1);
  Real s[n];
  Boolean g[n](each start = false), reached[n](each start = true, each fixed = true);
equation
  0 = sum(i) + sum(j);
  for k in 1:n loop
    u = (10 + k)*j[k] + (1 + 0.1*k)*der(j[k]);
    u = ud[k] + v[k];
    i[k] = (0.1 + 0.01*k)*der(v[k]);
    s[k] = if g[k] then i[k] else -ud[k];
    0 = if g[k] then ud[k] else i[k];
    reached[k] = s[k] >= 0;
    g[k] = pre(reached[k]);
  end for;
end RLDC4;
