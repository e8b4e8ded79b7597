#!/usr/bin/env python3
"""Print a model whose size is a number: families.py FAMILY N

Families: rc (one mode, about 18 n equations), clutches (n independent clutches), star (n diode branches
between two nodes), ladder (n sections in a chain), gearbox (n clutches in a chain), mesh (n by n nodes
with a switch on every edge).
"""
import sys


def rc(n):
    return f"""
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p;
  Pin n;
  Real v;
  Real i;
equation
  v = p.v - n.v;
  p.i + n.i = 0;
  i = p.i;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends TwoPin;
equation
  v = 1;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Cell
  Pin left;
  Pin right;
  Pin ground;
  Resistor r;
  Capacitor c;
equation
  connect(left, r.p);
  connect(r.n, c.p);
  connect(r.n, right);
  connect(c.n, ground);
end Cell;
model Chain
  parameter Integer n = {n};
  Source source;
  Ground ground;
  Cell cell[n];
equation
  connect(source.p, cell[1].left);
  connect(source.n, ground.p);
  for k in 1:n - 1 loop
    connect(cell[k].right, cell[k + 1].left);
  end for;
  for k in 1:n loop
    connect(cell[k].ground, ground.p);
  end for;
end Chain;
"""


def clutches(n):
    return f"""
model Clutches
  parameter Integer n = {n};
  Real a[n](each start = 1);
  Real b[n](each start = 2);
  Real torque[n];
  input Boolean engaged[n];
equation
  for k in 1:n loop
    der(a[k]) = -0.01*a[k] + torque[k];
    3*der(b[k]) = -0.02*b[k] - torque[k];
    0 = if engaged[k] then a[k] - b[k] else torque[k];
  end for;
end Clutches;
"""


def star(n):
    return f"""
model Star
  parameter Integer n = {n};
  Real u "between the nodes";
  Real il[n](each start = -1);
  Real ic[n];
  Real ud[n];
  Real vc[n](each start = 1);
  Real s[n];
  Boolean on[n](each start = false);
equation
  sum(il) + sum(ic) = 0;
  for k in 1:n loop
    u = (5 + k)*il[k] + (1 + 0.2*k)*der(il[k]);
    u = ud[k] + vc[k];
    ic[k] = (0.2 + 0.01*k)*der(vc[k]);
    on[k] = pre(s[k]) >= 0;
    s[k] = if on[k] then ic[k] else -ud[k];
    0 = if on[k] then ud[k] else ic[k];
  end for;
end Star;
"""


def ladder(n):
    return f"""
model Ladder
  parameter Integer n = {n};
  Real u[n + 1];
  Real il[n + 1](each start = 0);
  Real ic[n];
  Real ud[n];
  Real vc[n](each start = 0);
  Real s[n];
  Boolean on[n](each start = false);
equation
  u[1] = sin(time);
  il[n + 1] = 0.1*u[n + 1];
  for k in 1:n loop
    0.5*der(il[k]) = u[k] - u[k + 1] - 0.1*il[k];
    il[k] = ic[k] + il[k + 1];
    u[k + 1] = ud[k] + vc[k];
    ic[k] = 0.2*der(vc[k]);
    on[k] = pre(s[k]) >= 0;
    s[k] = if on[k] then ic[k] else -ud[k];
    0 = if on[k] then ud[k] else ic[k];
  end for;
end Ladder;
"""


def gearbox(n):
    return f"""
model Gearbox
  parameter Integer n = {n} "clutches between n + 1 shafts";
  Real w[n + 1];
  Real torque[n + 2];
  input Boolean engaged[n];
equation
  torque[1] = 1;
  torque[n + 2] = 0;
  for k in 1:n + 1 loop
    k*der(w[k]) = torque[k] - torque[k + 1] - 0.1*w[k];
  end for;
  for k in 1:n loop
    0 = if engaged[k] then w[k] - w[k + 1] else torque[k + 1];
  end for;
end Gearbox;
"""


def mesh(n):
    return f"""
model Mesh
  parameter Integer n = {n};
  Real v[n, n](each start = 0) "of a capacitor at every node";
  Real i[n, n] "into the capacitor";
  Real h[n, n] "current to the right";
  Real d[n, n] "current downwards";
  input Boolean right[n, n];
  input Boolean down[n, n];
equation
  for a in 1:n loop
    for b in 1:n loop
      der(v[a, b]) = i[a, b];
      i[a, b] + h[a, b] + d[a, b] = (if b > 1 then h[a, max(b - 1, 1)] else sin(time)) + (if a > 1 then d[max(a - 1, 1), b] else 0);
      0 = if right[a, b] and b < n then v[a, b] - v[a, min(b + 1, n)] else h[a, b];
      0 = if down[a, b] and a < n then v[a, b] - v[min(a + 1, n), b] else d[a, b];
    end for;
  end for;
end Mesh;
"""


FAMILIES = {f.__name__: f for f in (rc, clutches, star, ladder, gearbox, mesh)}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
        sys.exit(__doc__)
    print(FAMILIES[sys.argv[1]](int(sys.argv[2])).strip())
