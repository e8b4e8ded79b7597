//! run: flatten --class InnerOnTheWay
//! stdout: Real w = tower.clock.t;
//! stdout: tower.y = tower.clock.t;
// A name that leads through an outer component means the inner one, which is part of something on the way.
model InnerOnTheWay
  model Clock
    Real t = time;
  end Clock;
  model Face
    outer Clock clock;
  end Face;
  model Tower
    inner Clock clock;
    Face face;
    Real y;
  equation
    y = face.clock.t;
  end Tower;
  Tower tower;
  Real w = tower.face.clock.t;
end InnerOnTheWay;
