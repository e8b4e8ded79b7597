//! run: restart --from g=false,h=false --to g=true,h=false --at q=1,z=0 --format json
//! json: /verdict == "determined"
//! approx: /right/q == 3 +- 1e-9
//! json: /weights == {}
// `k = 0` and `der(k) = 3*s` say together that `s = 0`, and so `p = 2*q + 4`: `p` and `q` are one state by two names, and a reset of
// `p` moves `q`, without an impulse. It is not with the other restarts, because Euler steps are only told of direct ties.
model ResetOfDerivedName
  Real k, s, p, q, z;
  input Boolean g;
  input Boolean h;
equation
  k = 0;
  if h then
    s = 1;
  else
    der(k) = 3*s;
  end if;
  p + 4*k + 2*s - 2*q = 4;
  der(q) = -q;
  if g then
    der(z) = -z;
  else
    der(z) = 1;
  end if;
  when g then
    reinit(p, 10);
  end when;
end ResetOfDerivedName;
