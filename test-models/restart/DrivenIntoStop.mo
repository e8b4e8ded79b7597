//! run: transitions --from far=false --to far=true --format json
//! json: /transitions/0/jumps == ["v"]
//! run: restart --from far=false --to far=true --at s=1,v=2,force=0,time=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 1 +- 1e-12
//! approx: /right/v == 0 +- 1e-12
//! approx: /weights/force == -2 +- 1e-12
//! json: /orders/force == "1"
model DrivenIntoStop "A motion prescribed over time ends at a stop: both facts hold at one time only"
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
    s = 1;
  else
    s = 2*time;
  end if;
end DrivenIntoStop;
