//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 3
//! json: /classes/0/count == 3
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// An integer from outside with a declared range has one mode per value.
model SelectedCapacitor
  input Integer sel(min = 1, max = 3);
  Real vc[3](each start = 0), i[3], v;
equation
  for k in 1:3 loop
    k*der(vc[k]) = i[k];
    0 = if sel == k then v - vc[k] else i[k];
  end for;
  v = 10 - sum(i);
end SelectedCapacitor;
