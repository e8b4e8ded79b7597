//! run: simulate --format json
//! json: /completed == true
//! json: /initial/p == 3.0
//! json: /final/p == 3.0
//! approx: /final/v1 == 4 +- 1e-9
//! approx: /final/v2 == 4 +- 1e-9
//! run: simulate --stop-time 0.4 --format json
//! json: /final/p == 3.0
// The structure changes beside an automaton that an algorithm computes: its start counts before the change and after it.
model ModesMustAgree
  type Phase = enumeration(idle, busy, done);
  Real v1(start = 10, fixed = true), v2(start = 2, fixed = true), i;
  Boolean on = time >= 0.5;
  Boolean b(start = false, fixed = true);
  Phase p;
initial equation
  pre(p) = Phase.done;
equation
  der(v1) = -i;
  3*der(v2) = i;
  if on then
    v1 = v2;
  else
    i = 0;
  end if;
  b = time > 5;
algorithm
  if edge(b) then
    p := Phase.busy;
  end if;
end ModesMustAgree;
