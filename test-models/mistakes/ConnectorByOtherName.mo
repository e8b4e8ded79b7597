//! exit: 1
//! code: MS2004 line 33
//! snapshot
//! mend: 33:   connect(rod.a, wall.a);
// Wrong: a connector is called otherwise; the component has more elements than a message can list.
package ConnectorByOtherName
  connector End
    Real s;
    flow Real f;
  end End;
  model Rod
    End a, b;
    parameter Real c = 100, d = 1, l = 1, m = 2;
    Real stretch, rate, force, power, energy(start = 0, fixed = true);
  equation
    stretch = b.s - a.s - l;
    rate = der(stretch);
    force = c*stretch + d*rate;
    power = force*rate;
    der(energy) = power;
    b.f = force;
    a.f = -force;
  end Rod;
  model Wall
    End a;
  equation
    a.s = 0;
  end Wall;
  model Test
    Rod rod;
    Wall wall, other;
  equation
    connect(rod.left, wall.a);
    connect(rod.b, other.a);
  end Test;
end ConnectorByOtherName;
