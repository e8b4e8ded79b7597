//! run: restart --from g=false --to g=true --at n1=4,n2=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/n1 == 1 +- 1e-9
//! approx: /right/n2 == 3 +- 1e-9
//! approx: /weights/f == 3 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/n1 == 1 +- 1e-6
// Two vessels are joined: pressures become equal, and no gas is lost.
model GasMixes
  Real n1(start=4, fixed=true), n2(start=0, fixed=true), p1, p2, f;
  Boolean g;
equation
  g = time >= 1;
  p1 = n1/1;
  p2 = n2/3;
  der(n1) = -f;
  der(n2) = f;
  if g then
    p1 = p2;
  else
    f = 0;
  end if;
end GasMixes;
