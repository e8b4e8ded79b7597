//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 8
//! json: /classes len 2
//! json: /classes/0/when == "not sticks"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 4
//! json: /classes/1/when == "sticks"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 4
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// A mass on a belt. Sticking prescribes the velocity: the friction force follows from its derivative.
model BeltFriction
  parameter Real m = 1, k = 4, fMax = 2, fSlide = 1, vb = 0.5;
  Real x(start = 0), v(start = 0.5), f;
  discrete Boolean sticks(start = true);
equation
  der(x) = v;
  m*der(v) = f - k*x;
  0 = if sticks then v - vb else f - fSlide;
  when abs(pre(f)) > fMax then
    sticks = false;
  elsewhen v >= vb then
    sticks = true;
  end when;
end BeltFriction;
