//! run: flatten --class MediumPackage
// Replaceable package with constants, a record and functions: the same pipe with two media.
partial package PartialMedium
  constant String name = "none";
  constant Integer nS(min = 1) = 1;
  constant Real MM[nS] = fill(0.018, nS);
  replaceable record State
    Real p;
    Real T;
  end State;
  replaceable partial function density
    input State s;
    output Real d;
  end density;
end PartialMedium;

package Gas
  extends PartialMedium(name = "gas", nS = 2, MM = {0.028, 0.032});
  redeclare function extends density
  protected
    Real M = sum(MM)/nS;
  algorithm
    d := s.p*M/(8.314*s.T);
  end density;
end Gas;

package Oil
  extends PartialMedium(name = "oil");
  constant Real d0 = 850;
  redeclare function extends density
  algorithm
    d := d0*(1 - 7e-4*(s.T - 293));
  end density;
end Oil;

model Pipe
  replaceable package Medium = Oil constrainedby PartialMedium;
  Medium.State state;
  Real d = Medium.density(state);
  parameter Real X[Medium.nS] = Medium.MM/sum(Medium.MM);
equation
  state.p = 1e5*(1 + 0.1*time);
  state.T = 300;
end Pipe;

model MediumPackage
  Pipe oil;
  Pipe gas(redeclare package Medium = Gas);
  package HotOil = Oil(d0 = 800);
  Pipe hot(redeclare package Medium = HotOil);
end MediumPackage;
