//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 3
//! json: /classes/0/when == "not taut[1] and not taut[2]"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 4
//! json: /classes/0/count == 1
//! json: /classes/1/when == "taut[1] and taut[2]"
//! json: /classes/1/index == 2
//! json: /classes/1/pryce_index == 3
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 1
//! json: /classes/2/when == "taut[1] and not taut[2] or not taut[1] and taut[2]"
//! json: /classes/2/index == 2
//! json: /classes/2/pryce_index == 3
//! json: /classes/2/dof == 2
//! json: /classes/2/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! json: /components len 2
// Two parts that share nothing: their classes multiply.
model TwoRopes
  Real x[2](each start = 0), v[2](each start = 0), l[2], s[2];
  Boolean taut[2], reached[2](each start = true, each fixed = true);
equation
  for k in 1:2 loop
    der(x[k]) = v[k];
    der(v[k]) = 9.81 - l[k];
    reached[k] = s[k] <= 0;
    taut[k] = pre(reached[k]);
    s[k] = if taut[k] then -l[k] else k - x[k];
    0 = if taut[k] then x[k] - k else l[k];
  end for;
end TwoRopes;
