//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 2
//! json: /classes/0/when == "gear == Gear.neutral"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 1
//! json: /classes/1/when == "not (gear == Gear.neutral)"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 1
//! json: /classes/1/count == 3
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// An enumeration from outside. The last branch has no condition of its own and is called by its value.
model FourGears
  type Gear = enumeration(reverse, neutral, first, second);
  input Gear gear;
  Real w1(start = 10), w2(start = 0), t1, t2;
equation
  0.1*der(w1) = 1 - t1;
  5*der(w2) = t2 - w2;
  if gear == Gear.neutral then
    t1 = 0;
    t2 = 0;
  elseif gear == Gear.reverse then
    w1 = -4*w2;
    t2 = -4*t1;
  elseif gear == Gear.first then
    w1 = 4*w2;
    t2 = 4*t1;
  else
    w1 = 2*w2;
    t2 = 2*t1;
  end if;
end FourGears;
