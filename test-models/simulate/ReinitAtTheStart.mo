//! run: simulate --format json
//! approx: /initial/x == 3 +- 1e-9
//! approx: /final/x == 4 +- 1e-6
// `reinit` that is active at the start is an initial equation.
model ReinitAtTheStart
  Real x(start = 1);
equation
  der(x) = 1;
  when {initial(), time > 5} then
    reinit(x, 3);
  end when;
end ReinitAtTheStart;
