//! run: restart --from g=false --to g=true --at q=0 --format json
//! json: /verdict == "determined"
//! approx: /left/x == -8 +- 1e-12
//! approx: /right/q == 8 +- 1e-12
//! approx: /weights/u == 8 +- 1e-12
//! json: /orders/u == "1"
model DerivativeOfNewState "What integrates the derivative of a former algebraic variable jumps with it"
  Real x;
  Real q(start = 0);
  Real u;
  input Boolean g;
equation
  der(q) = u;
  if g then
    x = 0;
    u = der(x);
  else
    x = -8;
    u = 0;
  end if;
end DerivativeOfNewState;
