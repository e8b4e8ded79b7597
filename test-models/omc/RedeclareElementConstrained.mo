//! run: flatten --class RedeclareElementConstrained
// A redeclaration as element of a component whose constraining clause has a modifier; compare what remains of it.
model Medium
  Real p(unit = "Pa"), d;
end Medium;

model Water
  extends Medium;
equation
  d = 1000;
end Water;

model Vessel
  replaceable Medium medium constrainedby Medium(p = 1e5);
end Vessel;

model ByElement
  extends Vessel;
  redeclare Water medium;
end ByElement;

model ByModifier
  extends Vessel(redeclare Water medium);
end ByModifier;

model RedeclareElementConstrained
  ByElement a;
  ByModifier b;
end RedeclareElementConstrained;
