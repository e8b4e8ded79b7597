//! run: transitions --from on=false --to on=true
//! exit: 1
//! code: MS5009
//! run: transitions --from on=false --to on=true --format json
//! exit: 1
//! json: /transitions/0/flags/0/flag == "algebraic-before"
//! json: /transitions/0/undetermined_states/0 == "x"
//! code: MS5009
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
