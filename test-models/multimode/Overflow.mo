//! run: restart --from g=false --to g=true --at h=0.9 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/h == 0.9 +- 1e-9
//! json: /weights == {}
//! run: simulate --stop-time 2 --format json
//! approx: /final/h == 0.9 +- 1e-6
//! approx: /final/qo == 0.75 +- 1e-6
// A tank that overflows: the outflow follows the inflow without a jump.
model Overflow
  Real h(start=0, fixed=true), qo;
  Boolean g(start=false, fixed=true);
equation
  der(h) = 0.75 - qo;
  when h >= 0.9 then
    g = true;
  end when;
  if g then
    h = 0.9;
  else
    qo = 0;
  end if;
end Overflow;
