//! run: restart --from g=false --to g=true --at ws=3,wr=3 --format json
//! json: /verdict == "determined"
//! json: /assumed len 0
//! approx: /right/ws == 3.6 +- 1e-9
//! approx: /right/wr == 0 +- 1e-9
//! approx: /right/wc == 1.2 +- 1e-9
//! approx: /weights/l == 0.6 +- 1e-9
//! approx: /weights/b == -4.2 +- 1e-9
//! run: simulate --stop-time 2 --format json
//! approx: /final/ws == 3.6 +- 1e-6
//! approx: /final/wc == 1.2 +- 1e-6
// A brake stops the ring of a planetary gear: sun and carrier share what is left.
model Planetary
  Real ws(start=3, fixed=true), wr(start=3, fixed=true), wc(start=3), l, b;
  Boolean g;
equation
  g = time >= 1;
  der(ws) = l;
  der(wr) = 2*l + b;
  der(wc) = -3*l;
  ws + 2*wr = 3*wc;
  if g then
    wr = 0;
  else
    b = 0;
  end if;
end Planetary;
