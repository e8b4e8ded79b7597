//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes/0/index == 1
//! json: /classes/0/count == 2
//! code: MS4001
// The same with strict inequalities on both sides: at x1 = 0 exactly one equation is missing, which is
// worth a warning and no more.
model RoccaStrict
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
  elseif x1 > 0 then
    0 = 1 + x1 - x2;
  end if;
end RoccaStrict;
