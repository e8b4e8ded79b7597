//! exit: 1
//! code: MS2002 line 7
//! snapshot
//! mend: 7:   Modelica.Mechanics.Rotational.Components.Inertia rotor(J = 1, phi(start = 0, fixed = true), w(start = 1, fixed = true));
// Wrong: a class is used without its package.
model PackageLeftOut
  Inertia rotor(J = 1, phi(start = 0, fixed = true), w(start = 1, fixed = true));
end PackageLeftOut;
