//! run: restart --to "x > 1" --at x=1,y=0,z=0 --format json
//! approx: /right/x == 0 +- 1e-12
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
// x is reset and y raised, which resets y and raises z: three steps at one instant, and an end.
model CascadeOfResets
  Real x(start = 0), y(start = 0), z(start = 0);
equation
  der(x) = 1;
  der(y) = 0;
  der(z) = 0;
  when x > 1 then
    reinit(x, 0);
    reinit(y, 2);
  end when;
  when y > 1 then
    reinit(z, 3);
  end when;
end CascadeOfResets;
