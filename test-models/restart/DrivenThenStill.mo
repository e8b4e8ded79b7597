//! run: restart --from far=false --to far=true --at s=1,v=2,force=0,time=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 1 +- 1e-12
//! approx: /right/v == 0 +- 1e-12
//! approx: /weights/force == -2 +- 1e-12
model DrivenThenStill "A prescribed motion, then no motion: the speed does not hold already"
  Real s(start = 0);
  Real v;
  Real force;
  Boolean far(start = false), reached(start = false, fixed = true);
equation
  reached = s >= 1;
  far = pre(reached);
  der(s) = v;
  der(v) = force;
  if far then
    v = 0;
  else
    s = 2*time;
  end if;
end DrivenThenStill;
