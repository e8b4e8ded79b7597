//! run: restart --from g=false --to g=true --at y=3,v=1,z=0,u=0 --format json
//! json: /verdict == "determined"
//! approx: /right/y == 1 +- 1e-12
//! approx: /right/v == 0 +- 1e-12
//! approx: /right/z == -12 +- 1e-12
//! approx: /right/u == -2 +- 1e-12
//! approx: /weights/u == -4 +- 1e-12
model IntegratedImpulsiveSpeed "What integrates an impulse jumps; what is kept beside it is found in the lower orders"
  Real y(start = 3);
  Real v(start = 1);
  Real n;
  Real z(start = 0);
  Real u(start = 0);
  input Boolean g;
equation
  der(y) = v;
  der(v) = n;
  der(u) = 2*n;
  der(z) = 3*u;
  if g then
    y = 1;
  else
    n = 0;
  end if;
end IntegratedImpulsiveSpeed;
