//! run: restart --from applied=false --to applied=true --at sun.w=10,ring.w=2.5,carrier.w=5 --format json
//! approx: /right/sun.w == 10.909090909090908 +- 1e-9
//! approx: /right/carrier.w == 3.6363636363636362 +- 1e-9
//! approx: /right/ring.w == 0 +- 1e-9
//! run: transitions --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/1/verdict == "determined"
//! json: /transitions/1/jumps len 0
//! json: /transitions/1/impulsive len 0
// The ring of a planetary gear (ratio 2) is braked. With the constraint 3*wc = ws + 2*wr and its force l:
// ws = 10 + l, 2*wc = 10 - 3*l, wr = 0, so 3*(5 - 1.5*l) = 10 + l, l = 10/11.
model PlanetaryBrake
  Modelica.Mechanics.Rotational.Components.IdealPlanetary gear(ratio = 2);
  Modelica.Mechanics.Rotational.Components.Inertia sun(J = 1);
  Modelica.Mechanics.Rotational.Components.Inertia ring(J = 1);
  Modelica.Mechanics.Rotational.Components.Inertia carrier(J = 2);
  Modelica.Mechanics.Rotational.Components.IdealBrake brake;
  input Boolean applied;
equation
  brake.applied = applied;
  connect(sun.flange_b, gear.sun);
  connect(ring.flange_a, gear.ring);
  connect(carrier.flange_b, gear.carrier);
  connect(ring.flange_b, brake.flange);
end PlanetaryBrake;
