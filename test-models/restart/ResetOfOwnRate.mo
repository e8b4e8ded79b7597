//! run: restart --from g=false --to g=true --at x=1 --format json
//! json: /verdict == "determined"
//! approx: /right/x == -7 +- 1e-9
// `v` is the rate of `x` and tied to it: reset to 2 it takes `x` to the value at which the equation holds.
model ResetOfOwnRate "A reset of a rate that follows from its own integral"
  Real x(start = 1);
  Real v;
  input Boolean g;
equation
  der(x) = v;
  3*v + x + 1 = 0;
  when g then
    reinit(v, 2);
  end when;
end ResetOfOwnRate;
