//! run: restart --from g=false --to g=true --at w1=1,w2=1 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/w1 == 1 +- 1e-9
//! approx: /right/w2 == 1 +- 1e-9
//! json: /weights == {}
//! run: simulate --stop-time 2 --format json
//! approx: /final/w1 == 2.5 +- 1e-6
//! approx: /final/w2 == 2.5 +- 1e-6
// A free wheel locks where the speeds meet, so that nothing jumps.
model FreeWheel
  Real w1(start=0, fixed=true), w2(start=1, fixed=true), t;
  Boolean g(start=false, fixed=true);
equation
  der(w1) = 2 - t;
  der(w2) = t;
  when w1 >= w2 then
    g = true;
  end when;
  if g then
    w1 = w2;
  else
    t = 0;
  end if;
end FreeWheel;
