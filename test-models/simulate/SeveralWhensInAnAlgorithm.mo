//! run: check
//! run: transitions
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/n == 4 +- 1e-12
//! approx: /final/flag == 1 +- 1e-12
// In an algorithm `n := n + 1` reads the value before the instant, whichever `when` of it stands there. n: 1 at the start, 2 after
// 0.5, 4 after 0.75.
model SeveralWhensInAnAlgorithm
  Integer n(start = 9, fixed = true);
  Boolean late = time > 0.75, early = time > 0.5;
  Integer flag = if early < late or late <= early and early >= late then 1 else 0;
algorithm
  when initial() then
    n := 1;
  end when;
  when early then
    n := n + 1;
  end when;
  when late then
    n := 2*n;
  end when;
end SeveralWhensInAnAlgorithm;
