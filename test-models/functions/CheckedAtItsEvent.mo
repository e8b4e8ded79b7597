//! run: simulate --stop-time 1
//! exit: 1
//! code: MS6008 line 11
//! run: simulate --stop-time 0.6 --format json
//! json: /completed == true
// A call in `when` is made when the `when` fires, and with the values of that instant: -0.5 at 0.75, not before.
model CheckedAtItsEvent
  function requirePositive
    input Real x;
  algorithm
    assert(x > 0, "must be positive");
  end requirePositive;
  Real x(start = 1, fixed = true);
equation
  der(x) = -2;
  when time >= 0.25 then
    requirePositive(x);
  elsewhen time >= 0.75 then
    requirePositive(x);
  end when;
end CheckedAtItsEvent;
