//! run: transitions --from on=false --to on=true
//! stderr: `x` starts from its last value
//! run: transitions --from on=false --to on=true --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/flags/0/flag == "algebraic-before"
//! json: /transitions/0/determined_states contains "x"
//! json: /transitions/0/undetermined_states len 0
//! run: restart --from on=false --to on=true --at u=3 --format json
//! approx: /right/x == 3 +- 1e-12
//! run: check
// The trajectory before the change has a last value of `x`, and an implicit Euler step starts from it.
model AlgebraicBefore
  Real u(start = 1);
  Real x;
  input Boolean on;
equation
  der(u) = -u;
  if on then
    der(x) = u - x;
  else
    x = u;
  end if;
end AlgebraicBefore;
