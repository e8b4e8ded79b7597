//! run: transitions --format json
//! json: /change_count == 8
//! run: transitions --from "g1=true,g2=false" --to "g1=true,g2=true" --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 0
//! json: /transitions/0/impulsive len 0
//! run: transitions --from "g1=true,g2=true" --to "g1=true,g2=false" --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/jumps len 0
model RLDC2 "Two ideal diodes: what looks like a short circuit is none at the zero crossing"
  Real u;
  Real i1;
  Real i2;
  Real j1(start = 1);
  Real j2(start = -1);
  Real u1;
  Real u2;
  Real v1(start = 1);
  Real v2(start = 2);
  Real s1;
  Real s2;
  Boolean g1(start = false), reached1(start = true, fixed = true);
  Boolean g2(start = false), reached2(start = true, fixed = true);
equation
  0 = i1 + i2 + j1 + j2;
  u = 10*j1 + 1.1*der(j1);
  u = 11*j2 + 1.2*der(j2);
  u = u1 + v1;
  u = u2 + v2;
  i1 = 0.11*der(v1);
  i2 = 0.12*der(v2);
  s1 = if g1 then i1 else -u1;
  s2 = if g2 then i2 else -u2;
  0 = if g1 then u1 else i1;
  0 = if g2 then u2 else i2;
  reached1 = s1 >= 0;
  g1 = pre(reached1);
  reached2 = s2 >= 0;
  g2 = pre(reached2);
end RLDC2;
