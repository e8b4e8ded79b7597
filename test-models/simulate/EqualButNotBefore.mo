//! run: simulate --format json
//! json: /completed == true
//! json: /final/a == 0.0
//! json: /final/b == 0.0
//! json: /final/n == 1.0
model EqualButNotBefore "Variables that are equal have left limits of their own at the start"
  Boolean a(start = true, fixed = true), b(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  // At the start `pre(b)` is false, then `pre(b) := b` makes it true, and that is an event of this condition.
  when pre(b) then
    a = time > 5;
    n = pre(n) + 1;
  end when;
  b = a;
end EqualButNotBefore;
