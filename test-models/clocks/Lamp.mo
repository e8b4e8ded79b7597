//! run: simulate --format json
//! json: /completed == true
//! approx: /final/total == 81 +- 1e-9
//! approx: /final/light.bright == 2 +- 1e-9
//! approx: /final/reversals == 2 +- 1e-9
//! approx: /final/lit == 0 +- 1e-9
//! approx: /final/dark.waited == 9 +- 1e-9
//! run: check
//! run: flatten
//! stdout: transition(dark, light, ticksInState() >= 3, false, true, false, 1);
// Dark for three ticks, light for two: `light` is reset whenever it is entered, `dark` is not. With ticks every 0.1 s from 0
// to 1.2: dark 0.0-0.2, light 0.3-0.4, dark 0.5-0.7, light 0.8-0.9, dark 1.0-1.2.
model Lamp
  inner Integer total(start = 0);
  Integer reversals(start = -1);
  Boolean lit = hold(isLit);
  Boolean isLit = activeState(light);
  block Dark
    outer output Integer total;
    Integer waited(start = 0);
  equation
    waited = previous(waited) + 1;
    total = previous(total) + 1 + sample(0, Clock(1, 10));
  end Dark;
  block Light
    outer output Integer total;
    Integer bright(start = 0);
  equation
    bright = previous(bright) + 1;
    total = previous(total) + 10*bright + (if bright == 2 then 6 else 0);
  end Light;
  Dark dark;
  Light light;
equation
  initialState(dark);
  transition(dark, light, ticksInState() >= 3, immediate = false);
  transition(light, dark, timeInState() > 0.05, immediate = false, reset = false);
  reversals = previous(reversals) + (if isLit and not previous(isLit) then 1 else if firstTick(isLit) then 1 else 0);
  annotation(experiment(StopTime = 1.25));
end Lamp;
