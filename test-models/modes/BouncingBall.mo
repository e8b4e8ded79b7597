//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 2
model BouncingBall
  Real h(start = 1);
  Real v(start = 0);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end BouncingBall;
