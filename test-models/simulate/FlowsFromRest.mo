//! run: simulate --format json
//! json: /completed == true
//! approx: /final/ma == 2.2257731 +- 1e-6
//! approx: /final/p == 4.0459341 +- 1e-6
// Three quadratic resistances meet at a knot. The flows are found from zero, where no equation depends on them.
model FlowsFromRest
  parameter Real pa = 9;
  parameter Real pb = 4;
  parameter Real pc = 0;
  Real ma, mb, mc;
  Real p;
equation
  pa - p = ma*abs(ma);
  pb - p = mb*abs(mb);
  pc - p = mc*abs(mc);
  ma + mb + mc = 0;
end FlowsFromRest;
