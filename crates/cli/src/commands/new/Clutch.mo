within NAME;
model Clutch "Two shafts that turn freely or as one"
  parameter Real j1 = 1 "moment of inertia of the first shaft";
  parameter Real j2 = 2 "moment of inertia of the second shaft";
  Real w1(start=1, fixed=true) "angular velocity of the first shaft";
  Real w2(start=1.5, fixed=true) "angular velocity of the second shaft";
  Real t1 "torque on the first shaft";
  Real t2 "torque on the second shaft";
  input Boolean engaged;
equation
  j1*der(w1) = t1;
  j2*der(w2) = t2;
  if engaged then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end Clutch;
