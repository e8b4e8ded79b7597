//! run: modes --format json
//! json: /classes len 2
//! json: /classes/0/dof == 2
//! json: /classes/1/dof == 1
//! run: simulate --format json
//! approx: /final/v1 == 4 +- 1e-9
//! approx: /final/v2 == 4 +- 1e-9
//! run: simulate --set Ron=0.1 --format json --stop-time 20
//! approx: /final/v1 == 4 +- 1e-5
// The usual equations of an ideal switch, with the current or the voltage as `s`. Without resistance, the closed
// switch leaves out `s` of the first equation: the voltages are equal, and the charge is shared at once.
model IdealSwitchByFactor
  parameter Real Ron = 0;
  parameter Real Goff = 0;
  Real v1(start = 10, fixed = true), v2(start = 1, fixed = true), i, v, s;
  Boolean on = time >= 0.5;
equation
  der(v1) = -i;
  2*der(v2) = i;
  v = v1 - v2;
  v = s*(if on then Ron else 1);
  i = s*(if on then 1 else Goff);
end IdealSwitchByFactor;
