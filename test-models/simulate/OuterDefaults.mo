//! run: simulate --class OuterDefaults.Falling --format json
//! json: /completed == true
//! approx: /final/body.v[2] == -19.62 +- 1e-9
//! approx: /final/body.v[1] == 4 +- 1e-9
// The defaults of a function that a component redeclares are parameters of that component, wherever it is called.
package OuterDefaults
  partial function acceleration
    input Real t;
    output Real a[2];
  end acceleration;
  function uniform
    extends acceleration;
    input Real g[2];
    input Real wind;
  algorithm
    a := g + {wind, 0};
  end uniform;
  model World
    parameter Real g = 9.81;
    parameter Real n[2] = {0, -1};
    parameter Real wind = 2;
    replaceable function field = uniform(g = g*n, wind = wind) constrainedby acceleration;
  end World;
  model Body
    outer World world;
    Real v[2](each start = 0, each fixed = true);
  equation
    der(v) = world.field(time);
  end Body;
  model Falling
    inner World world;
    Body body;
    annotation(experiment(StopTime = 2));
  end Falling;
end OuterDefaults;
