//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 2
//! json: /classes/0/when == "not coupled"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 4
//! json: /classes/0/count == 2
//! json: /classes/1/when == "coupled"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 3
//! json: /classes/1/count == 2
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Once coupled, the velocities are equal: one state less.
model CoupledWagons
  Real x1(start = 0), v1(start = 2), x2(start = 5), v2(start = 0), f;
  discrete Boolean coupled(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  10*der(v1) = -f;
  20*der(v2) = f;
  0 = if coupled then v1 - v2 else f;
  when x1 >= x2 then
    coupled = true;
  end when;
end CoupledWagons;
