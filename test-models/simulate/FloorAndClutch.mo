//! run: simulate --format json
//! json: /completed == true
//! approx: /final/x == 0.75 +- 1e-9
//! approx: /final/v1 == 4 +- 1e-9
//! json: /final/turns == 5.0
// Integer parts in the equations of a model whose structure changes: a saw tooth with its events.
//   x' = 0, 1, 2, 3 in the four quarters: 0.25*(0 + 1 + 2 + 3) = 1.5, half of that by `gain`
model FloorAndClutch
  Real x(start = 0, fixed = true), v1(start = 10, fixed = true), v2(start = 2, fixed = true), i;
  Real phase = mod(5*time + 0.1, 1) "jumps five times";
  parameter Real gain = 0.5;
  Integer turns(start = 0, fixed = true);
equation
  der(x) = gain*floor(4*time);
  der(v1) = -i;
  3*der(v2) = i;
  if time >= 0.6 then
    v1 = v2;
  else
    i = 0;
  end if;
  when phase < 0.05 then
    turns = pre(turns) + 1;
  end when;
end FloorAndClutch;
