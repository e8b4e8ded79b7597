//! run: check --class RootsOutside.NoForce
//! run: check --class RootsOutside.Loose
//! exit: 1
//! code: MS3006
// A component with overdetermined connectors need not have the root of their orientation, nor what only its bus is connected to: both
// can come from outside (§9.4). A component that lacks something else is reported.
package RootsOutside
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector Frame
    Real s;
    Angle phi;
    flow Real f;
  end Frame;
  model NoForce
    Frame frame;
  equation
    frame.f = 0;
  end NoForce;
  model Loose
    Frame frame;
    Real x, y, z;
  equation
    x + y = 0;
  end Loose;
end RootsOutside;
