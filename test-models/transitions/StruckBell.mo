//! run: check
//! run: transitions
// While the clapper touches, nothing gives the torque: the law of the instant does. Every command accepts it.
model StruckBell
  parameter Real J1 = 180, J2 = 6, e = 0.4;
  Real phi1(start = 0.9), phi2(start = 0), w1(start = 0), w2(start = 0), tau, gap;
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
