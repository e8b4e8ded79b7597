//! run: check
//! exit: 1
//! code: MS4014
//! run: modes
//! exit: 1
//! code: MS4014
//! run: transitions
//! exit: 1
//! code: MS4014
//! run: simulate
//! exit: 1
//! code: MS4014
// A valve that opens for good where the pressure behind it is too high; open, there is no pressure at that very instant, so
// it would not have opened. All commands say that no mode fits.
model ValveCannotStayOpen
  Real level(start = 0, fixed = true);
  Real p;
  Boolean open(start = false, fixed = true);
equation
  der(level) = 2;
  p = if open then 0 else level;
  when p > 1 then
    open = true;
  end when;
end ValveCannotStayOpen;
