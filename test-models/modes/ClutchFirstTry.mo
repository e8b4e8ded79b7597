//! run: check
//! exit: 1
//! code: MS3005
//! run: check --quiet
//! exit: 1
//! code: MS3005
// The tour's first try at a clutch: nobody says which torques there are while it is engaged.
model ClutchFirstTry
  parameter Real j1 = 1 "moment of inertia";
  parameter Real j2 = 2 "moment of inertia";
  Real w1(start = 1, fixed = true) "angular velocity";
  Real w2(start = 1.5, fixed = true) "angular velocity";
  Real t1 "torque";
  Real t2 "torque";
  input Boolean g "engaged";
equation
  j1*der(w1) = t1;
  j2*der(w2) = t2;
  if g then
    w1 - w2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end ClutchFirstTry;
