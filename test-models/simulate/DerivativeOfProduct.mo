//! run: simulate --stop-time 2 --format json
//! json: /completed == true
//! approx: /final/v == 0.5 +- 1e-9
// A mass that doubles keeps its momentum, which is what is differentiated: its speed is halved.
model DerivativeOfProduct
  discrete Real m(start = 1, fixed = true);
  Real v(start = 1, fixed = true);
equation
  when time >= 1 then
    m = 2;
  end when;
  der(m*v) = 0;
end DerivativeOfProduct;
