//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 1
//! json: /classes/0/when == "true"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 0
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 4
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Which value a state is set to at an event may depend on a condition: no equation depends on it.
model IfInWhen
  parameter Boolean elastic = true;
  input Boolean soft;
  Real x(start = 1), v(start = 0);
equation
  der(x) = v;
  der(v) = -9.81;
  when x <= 0 then
    if soft then
      reinit(v, 0);
    else
      reinit(v, -0.8*pre(v));
    end if;
  end when;
end IfInWhen;
