//! run: restart --from g=false --to g=true --at x0=1,x1=2,x2=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/x2 == 0.5 +- 1e-12
// The reset is of a variable whose rate has a name, and the new mode takes that rate away as a state.
model ResetAndConstraint "A reset with a constraint on the rate"
  Real x0, x1, x2;
  input Boolean g;
equation
  if g then
    x1 = 3;
  else
    der(x0) = -x2;
  end if;
  if g then
    x2 = x0 + 2*sin(x0)/8;
  else
    der(x1) = 3*x2;
  end if;
  der(x2) = x1;
  when g then
    reinit(x2, 1 - pre(x2));
  end when;
end ResetAndConstraint;
