//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 0
//! json: /classes/0/when == "not open"
//! json: /classes/1/index == 0
//! json: /classes/1/pryce_index == 1
//! json: /classes/1/when == "open"
// The temperature of the second tank exists only while the valve is open: modes may have different
// numbers of equations and unknowns.
model AbsentVariable
  input Boolean open;
  Real x(start = 1);
  Real y;
equation
  der(x) = -x;
  if open then
    y = 2*x;
  end if;
end AbsentVariable;
