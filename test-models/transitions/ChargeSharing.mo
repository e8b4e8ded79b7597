//! run: restart --from on=false --to on=true --at "v1=5,v2=0" --format json
//! approx: /right/v1 == 1 +- 1e-9
//! approx: /weights/i == -4 +- 1e-9
model ChargeSharing "An ideal switch between two capacitors"
  parameter Real c1 = 1;
  parameter Real c2 = 4;
  Real v1(start = 5);
  Real v2(start = 0);
  Real i "current into the first capacitor";
  input Boolean on;
equation
  c1*der(v1) = i;
  c2*der(v2) = -i;
  0 = if on then v1 - v2 else i;
end ChargeSharing;
