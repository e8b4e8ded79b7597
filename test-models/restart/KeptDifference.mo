//! run: restart --from g=false --to g=true --at y=1,w=2 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 0.3333333333 +- 1e-9
//! approx: /right/y == 1.3333333333 +- 1e-9
//! approx: /right/w == 4.6666666667 +- 1e-9
// x - y is kept, from the last values 0 and 1; x + 2*y = 3 and x + w = 5 do the rest.
model KeptDifference "A kept combination with a variable that was no state"
  Real x;
  Real y(start = 1);
  Real w(start = 2);
  Real u;
  input Boolean g;
equation
  der(w) = u;
  if g then
    der(x) = der(y);
    x + 2*y = 3;
    x + w = 5;
  else
    x = 0;
    der(y) = -y;
    u = -w;
  end if;
end KeptDifference;
