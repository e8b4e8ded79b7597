//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/x == 3 +- 1e-5
// The start of a variable that is no state gives the state.
model StartOfAlgebraic
  Real x, y(start=9, fixed=true);
equation
  der(x) = -x; y = x^2; 
end StartOfAlgebraic;
