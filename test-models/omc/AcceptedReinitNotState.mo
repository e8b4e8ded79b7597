//! run: flatten --class AcceptedReinitNotState
// Accepted, though the specification forbids it: reinit of a variable whose derivative appears nowhere.
model AcceptedReinitNotState
  Real x = time;
equation
  when time > 1 then
    reinit(x, 0);
  end when;
end AcceptedReinitNotState;
