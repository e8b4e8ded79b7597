//! run: restart --from g=false --to g=true --at x=5 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 5 +- 1e-12
//! approx: /right/u == 1 +- 1e-12
model NewStateDrivesOld "A state that keeps its value by law moves what it drives without a jump"
  Real x(start = 0);
  Real u;
  input Boolean g;
equation
  der(x) = 2*u;
  if g then
    der(u) = -u;
  else
    u = 1;
  end if;
  when g then
    reinit(u, pre(u));
  end when;
end NewStateDrivesOld;
