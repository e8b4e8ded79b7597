//! code: MS4019 line 10
//! snapshot
//! mend: 7:   Boolean done = pre(on) and time >= pre(t0) + 2;
// Wrong: `done` follows from what is assigned when it becomes true.
model TimerEndsItself
  Boolean on(start = false, fixed = true);
  Boolean done = on and time >= t0 + 2;
  Real t0(start = 0, fixed = true);
equation
  when sample(1, 5) then
    on = true;
    t0 = time;
  elsewhen done then
    on = false;
    t0 = pre(t0);
  end when;
end TimerEndsItself;
