//! run: check
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
// A chain of steps with a timer. Each step sets `t0`, so that no condition on the time since `t0` holds
// at the same instant, and the chain does not go round at once.
model TimerChain
  type Light = enumeration(red, green, yellow);
  Light light(start = Light.red, fixed = true);
  discrete Real t0(start = 0, fixed = true);
  Real energy(start = 0, fixed = true);
equation
  when pre(light) == Light.red and time > pre(t0) + 3 then
    light = Light.green;
    t0 = time;
  elsewhen pre(light) == Light.green and time > pre(t0) + 2 then
    light = Light.yellow;
    t0 = time;
  elsewhen pre(light) == Light.yellow and time > pre(t0) + 1 then
    light = Light.red;
    t0 = time;
  end when;
  der(energy) = if light == Light.red then 1 elseif light == Light.green then 2 else 3;
end TimerChain;
