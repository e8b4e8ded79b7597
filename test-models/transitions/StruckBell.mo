//! run: check
//! run: transitions
//! run: simulate
//! exit: 1
//! code: MS6012
//! stderr: no run can start in it or stay there
//! run: simulate --set angle=0.3,speed=3 --stop-time 0.15 --format json
//! json: /event_count == 1
//! approx: /events/0/jumps/w1/before == 2.8523793 +- 1e-4
//! approx: /events/0/jumps/w1/after == 2.7235621 +- 1e-4
//! approx: /events/0/jumps/w2/after == 3.8645138 +- 1e-4
// While the clapper touches, nothing gives the torque: the law of the instant does. Every command accepts it.
// A run that starts with the clapper beyond the rim starts in the mode that is meant for the instant of the stroke, which is told. From
// elsewhere w2 = 0 until the stroke, after which 180*w1 + 6*w2 is what it was and w2 - w1 = 0.4 times the speed of w1 before.
model StruckBell
  parameter Real J1 = 180, J2 = 6, e = 0.4, angle = 0.9, speed = 0;
  Real phi1(start = angle), phi2(start = 0), w1(start = speed), w2(start = 0), tau, gap;
  Boolean stroke(start = false);
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = -1000*sin(phi1) - tau;
  J2*der(w2) = -70*sin(phi2) + tau;
  gap = 0.5 - (phi1 - phi2);
  stroke = pre(gap) <= 0;
  if not stroke then
    tau = 0;
  end if;
  when stroke then
    w1 - w2 = -e*(pre(w1) - pre(w2));
  end when;
end StruckBell;
