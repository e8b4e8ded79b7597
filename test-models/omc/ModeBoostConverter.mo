//! run: flatten --class ModeBoostConverter
// Multimode: boost converter with a driven ideal switch and an ideal diode; the mode depends on states and on a clock.
model ModeBoostConverter
  parameter Real Vin = 12, L = 1e-3, C = 1e-4, R = 50;
  parameter Real T = 1e-4, duty = 0.5;
  Real iL(start = 0, fixed = true), uC(start = Vin, fixed = true);
  Real uS "voltage over the switch", iS, iD, uD, s;
  Boolean gate, conducting;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, T) then
    t0 = time;
  end when;
  gate = time - t0 < duty*T;
  conducting = s >= 0;
  L*der(iL) = Vin - uS;
  C*der(uC) = iD - uC/R;
  iL = iS + iD;
  uD = uS - uC;
  0 = if gate then uS else iS;
  uD = if conducting then 0 else s;
  iD = if conducting then s else 0;
end ModeBoostConverter;
