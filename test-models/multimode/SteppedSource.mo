//! run: restart --from late=false --to late=true --at v=0 --format json
//! approx: /right/v == 5 +- 1e-9
//! approx: /weights/i == 10 +- 1e-9
//! run: transitions --from late=false --to late=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/i == "1"
//! json: /transitions/0/jumps == ["v"]
// An ideal source with a step across a capacitor of 2 F: the charge 2*5 comes at once.
model SteppedSource
  parameter Real C = 2;
  Real v, i;
  Boolean late;
equation
  late = time >= 1;
  v = if late then 5 else 0;
  C*der(v) = i;
end SteppedSource;
