//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! json: /mode_count == 8
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4001
//! json: /classes/0/count == 4
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 0
// Three ideal diodes between three sources and a resistor: as soon as two conduct, the voltage is given twice.
model ThreePulse
  parameter Real R = 10;
  Real u[3], i[3], s[3], vp;
  Boolean on[3], reached[3](each start = false, each fixed = true);
equation
  for k in 1:3 loop
    u[k] = sin(time + 2.0944*k) - vp;
    0 = if on[k] then u[k] else i[k];
    s[k] = if on[k] then i[k] else u[k];
    reached[k] = s[k] > 0;
    on[k] = pre(reached[k]);
  end for;
  sum(i) = vp/R;
end ThreePulse;
