//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /fixpoints len 0
//! json: /classes/0/index == 0
//! code: MS4004
// Stick and slip with memory: sticking is a constraint on the speed.
model CoulombFriction
  parameter Real m = 1;
  parameter Real Fmax = 2;
  Real v(start = 1);
  Real F;
  Boolean stuck(start = false);
  Boolean forward, reached(start = true, fixed = true);
equation
  reached = v > 0;
  forward = pre(reached);
  stuck = abs(pre(F)) < Fmax and abs(pre(v)) < 1e-3;
  m*der(v) = sin(time) - F;
  if stuck then
    v = 0;
  else
    F = if forward then Fmax else -Fmax;
  end if;
end CoulombFriction;
