//! run: restart --from g=false --to g=true --at s=1,v=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 0 +- 1e-12
//! approx: /right/v == -0.5 +- 1e-12
model BeltTurns "Position and speed are both set"
  Real s(start = 0);
  Real v(start = 1);
  input Boolean g;
equation
  der(s) = v;
  der(v) = -0.1*v;
  when g then
    reinit(s, 0);
    reinit(v, -pre(v));
  end when;
end BeltTurns;
