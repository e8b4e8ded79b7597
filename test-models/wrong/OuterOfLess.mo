//! run: check --class Wrong
//! exit: 1
//! code: MS2004 line 15
//! run: check --class Right
// Wrong: of an outer component only what its own type declares can be used, although the inner one has more.
record Less
  Real g;
end Less;
record More
  extends Less;
  Real h;
end More;
model UsesMore
  outer Less world;
  Real x = world.h;
end UsesMore;
model UsesLess
  outer Less world;
  Real x = world.g;
end UsesLess;
model Wrong
  inner More world(g = 9.81, h = 1);
  UsesMore part;
end Wrong;
model Right
  inner More world(g = 9.81, h = 1);
  UsesLess part;
end Right;
