//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! run: restart --from closed=false --to closed=true --at v1=5,v2=1 --format json
//! approx: /right/v1 == 2.333333333 +- 1e-6
//! approx: /right/v2 == 2.333333333 +- 1e-6
//! run: transitions --from closed=false --to closed=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/i == "1"
//! run: transitions --from closed=true --to closed=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive len 0
// Two capacitors, joined by an ideal switch: C1*v1 + C2*v2 is kept.
model CapacitorsShareCharge
  parameter Real C1 = 1;
  parameter Real C2 = 2;
  Real v1(start = 5);
  Real v2(start = 1);
  Real i;
  input Boolean closed;
equation
  C1*der(v1) = -i;
  C2*der(v2) = i;
  0 = if closed then v1 - v2 else i;
end CapacitorsShareCharge;
