//! run: restart --from held=false --to held=true --at level=1 --format json
//! json: /verdict == "determined"
//! approx: /left/target == 5 +- 1e-12
//! approx: /right/level == 5 +- 1e-12
//! approx: /weights/rate == 4 +- 1e-12
//! json: /assumed len 0
model ConstantTarget "An unknown with an equation of its own takes part in the restart with its value"
  Real level(start = 1);
  Real target;
  Real rate;
  input Boolean held;
equation
  target = 5;
  der(level) = rate;
  if held then
    level = target;
  else
    rate = -1;
  end if;
end ConstantTarget;
