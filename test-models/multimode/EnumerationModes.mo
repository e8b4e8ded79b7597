//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
// Three modes as an enumeration.
model EnumerationModes
  type Phase = enumeration(idle, drive, brake);
  input Phase phase;
  Real w(start = 0), tau;
equation
  2*der(w) = tau - 0.1*w;
  if phase == Phase.idle then
    tau = 0;
  elseif phase == Phase.drive then
    tau = 5;
  else
    w = 0;
  end if;
end EnumerationModes;
