//! run: restart --from g=false --to g=true --at u1=5,u2=5,uo=0 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/u1 == 2.5 +- 1e-9
//! approx: /right/u2 == 2.5 +- 1e-9
//! approx: /right/uo == 5 +- 1e-9
//! approx: /weights/i1 == 2.5 +- 1e-9
//! approx: /weights/i2 == 2.5 +- 1e-9
//! approx: /weights/io == 2.5 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/u1 == 2.5 +- 1e-6
//! approx: /final/uo == 5 +- 1e-6
// Two capacitors are charged side by side and discharged in a row: each gives the same charge away.
model Doubler
  Real u1(start=5, fixed=true), u2(start=5, fixed=true), uo(start=0, fixed=true), i1, i2, io, us;
  Boolean g;
equation
  g = time >= 1;
  der(u1) = -i1;
  der(u2) = -i2;
  0.5*der(uo) = io;
  if g then
    i1 = io;
    i2 = io;
    u1 + u2 = uo;
    us = u1 + u2;
  else
    i1 = 0;
    i2 = 0;
    io = 0;
    us = u1;
  end if;
end Doubler;
