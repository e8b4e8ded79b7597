//! run: simulate
//! code: MS6018 line 9
//! stderr: at time 0.75 `y` is not defined
//! stderr: a subscript is 4 here, and not between 1 and 3
// What nothing reads may have no value; the subscript that is to blame is told with its value.
model SubscriptUnread
  parameter Real a[3] = {1, 2, 4};
  Integer n(start = 1, fixed = true);
  Real y = a[n];
equation
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
end SubscriptUnread;
