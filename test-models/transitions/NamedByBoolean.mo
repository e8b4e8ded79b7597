//! run: transitions
//! stdout: on: false → true (time >= 1)
//! stdout: on: true → false (not time < 2)
//! stdout: hold: false → true (y > 100)
//! run: transitions --from on=false --to on=true --format json
//! json: /transitions/0/event == "when `on` becomes true (`time >= 1` becomes true)"
//! json: /transitions/0/from/on == false
//! json: /transitions/0/to/on == true
//! json: /transitions/0/jumps contains "x"
//! run: restart --from on=false --to on=true --at x=1,y=3 --format json
//! approx: /right/x == 2 +- 1e-12
//! json: /to/on == true
//! run: check
//! code: MS4004
//! stderr: 0 = if on and not hold
// The modeller speaks of `on` and `hold`; what they stand for is said as the reason only.
model NamedByBoolean
  Real x(start = 1), y(start = 3), f;
  Boolean on, hold;
equation
  on = time >= 1 and time < 2;
  hold = time >= 7 or y > 100;
  der(x) = f;
  der(y) = -f;
  0 = if on and not hold then x - y else f;
end NamedByBoolean;
