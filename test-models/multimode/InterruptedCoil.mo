//! run: restart --from closed=true --to closed=false --at i=2 --format json
//! approx: /right/i == 0 +- 1e-9
//! run: transitions --from closed=true --to closed=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/u == "1"
// An ideal switch in series with a coil opens: the current jumps to zero, the voltage is an impulse.
model InterruptedCoil
  parameter Real L = 0.5;
  parameter Real R = 1;
  Real i(start = 2);
  Real u "voltage across the switch";
  input Boolean closed;
equation
  L*der(i) = 12 - R*i - u;
  0 = if closed then u else i;
end InterruptedCoil;
