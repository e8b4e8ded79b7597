//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /fixpoints len 0
//! json: /classes/0/index == 1
//! json: /classes/0/pryce_index == 2
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
// Rocca et al. (9): the constraint switches with the sign of a state.
model Rocca
  parameter Real B1 = 1;
  parameter Real B2 = 3;
  Real x1(start = -0.5);
  Real x2(start = -0.5);
  Real z;
equation
  der(x1) = 1 + B1*z;
  der(x2) = B2*z;
  if x1 < 0 then
    0 = -1 - x1 - x2;
  else
    0 = 1 + x1 - x2;
  end if;
end Rocca;
