//! run: simulate --format json
//! exit: 0
//! json: /completed == true
//! approx: /final/x == -3 +- 1e-9
//! approx: /final/n == 1 +- 1e-9
//! approx: /final/b == 0 +- 1e-9
//! approx: /final/m == 1 +- 1e-9
//! approx: /final/kept == 2 +- 1e-9
// Both conditions become true at time 1: the first branch wins, for numbers and Booleans alike. A condition inside a
// branch that becomes true later does not fire it. Values see what `reinit` replaces as it was before.
model EqualInstants
  Real x(start = 2, fixed = true);
  discrete Real kept(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Integer m(start = 0, fixed = true);
  Boolean b(start = true, fixed = true);
  Boolean late = time >= 2;
equation
  der(x) = 0;
  when time >= 1 then
    kept = x;
    reinit(x, -kept - n);
    n = pre(n) + 1;
    b = n > 1;
    if late then
      m = 5;
    else
      m = 1;
    end if;
  elsewhen 2*time >= 2 then
    kept = 7;
    n = 9;
    m = 9;
    b = true;
  end when;
  annotation(experiment(StopTime = 3));
end EqualInstants;
