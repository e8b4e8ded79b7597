//! run: simulate --format json
//! exit: 0
//! json: /completed == true
//! approx: /final/x == 5 +- 1e-8
//! approx: /final/v == 10 +- 1e-8
// A mass falls on a stop and stays there until it is pulled away. The impact sets its speed to zero, which is not
// negative, so that the contact ends when the force does.
model HardStop
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real f;
  Boolean contact(start = false, fixed = true);
equation
  der(x) = v;
  2*der(v) = f - 10 + (if time > 2 then 30 else 0);
  contact = pre(x) <= 0 and (not pre(contact) and pre(v) < 0 or pre(contact) and pre(f) >= 0);
  if contact then
    v = 0;
  else
    f = 0;
  end if;
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end HardStop;
