//! run: check --class GearWithOpenCarrier.Train
//! code: MS3012 line 33
//! snapshot
// Wrong: the carrier of the gear is held by nothing.
package GearWithOpenCarrier
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model Wheel
    parameter Real J = 1;
    Flange flange;
    Real phi(start = 0, fixed = true);
    Real w(start = 0, fixed = true);
  equation
    phi = flange.phi;
    w = der(phi);
    J*der(w) = flange.tau;
  end Wheel;
  model Planetary
    parameter Real ratio = 2;
    Flange sun;
    Flange carrier;
    Flange ring;
  equation
    (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
    ring.tau = ratio*sun.tau;
    carrier.tau = -(1 + ratio)*sun.tau;
  end Planetary;
  model Train
    Wheel motor;
    Wheel load;
    Planetary gear(ratio = 3);
  equation
    connect(motor.flange, gear.sun);
    connect(load.flange, gear.ring);
  end Train;
end GearWithOpenCarrier;
