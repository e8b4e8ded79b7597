//! exit: 1
//! code: MS3006 line 11
//! snapshot
//! mend: 18+:     f = d*v;
// Wrong: a component lacks an equation.
package LawForgotten
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  model Damper
    Flange a;
    Flange b;
    parameter Real d = 5;
    Real v;
    Real f;
  equation
    v = der(b.s) - der(a.s);
    b.f = f;
    a.f = -f;
  end Damper;
  model Mass
    Flange a;
    parameter Real m = 1;
    Real v(start = 1, fixed = true);
  equation
    v = der(a.s);
    m*der(v) = a.f;
  end Mass;
  model Wall
    Flange a;
  equation
    a.s = 0;
  end Wall;
  model Bench
    Wall wall;
    Damper damper;
    Mass mass(a(s(start = 0, fixed = true)));
  equation
    connect(wall.a, damper.a);
    connect(damper.b, mass.a);
  end Bench;
end LawForgotten;
