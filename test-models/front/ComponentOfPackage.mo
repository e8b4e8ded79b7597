//! run: check --class Parts.Capacitor
//! run: check --class Parts.Broken
//! exit: 1
//! code: MS3006
// A component of a package is checked as a component: what its pins are connected to is not its business, but its equations are
// counted.
package Parts
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Capacitor
    Pin p, n;
    Real v = p.v - n.v;
    parameter Real C = 1e-6;
  equation
    p.i + n.i = 0;
    p.i = C*der(v);
  end Capacitor;
  model Broken
    Pin p, n;
    Real v = p.v - n.v;
  equation
    p.i + n.i = 0;
  end Broken;
end Parts;
