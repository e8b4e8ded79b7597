//! run: simulate
//! exit: 1
//! code: MS6008 line 10
//! stderr: a subscript is 4 here, and not between 1 and 3
// The third event asks for an element that is not there: that is what is told, and not that the event does not end.
model SubscriptInWhen
  parameter Real a[3] = {1, 2, 4};
  Integer n(start = 1, fixed = true);
  discrete Real
    y(start = 0, fixed = true);
equation
  when sample(0.1, 0.2) then
    n = pre(n) + 1;
    y = a[n];
  end when;
end SubscriptInWhen;
