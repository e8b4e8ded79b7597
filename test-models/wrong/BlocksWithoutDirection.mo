//! run: check --class Wrong
//! exit: 1
//! code: MS2015 line 16
//! run: check --class Right
// Wrong: the connector of a block has variables that are neither input nor output.
connector Pin
  Real v;
  flow Real i;
end Pin;
connector Bundle
  input Real u;
  output Real y;
  parameter Integer n = 2;
end Bundle;
block Undirected
  Pin pin;
equation
  pin.v = 1;
end Undirected;
block Directed
  Bundle bundle;
equation
  bundle.y = bundle.u;
end Directed;
model Wrong
  Undirected part;
end Wrong;
model Right
  Directed part;
equation
  part.bundle.u = time;
end Right;
