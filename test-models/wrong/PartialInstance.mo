//! run: check --class PartialInstance
//! exit: 1
//! code: MS2014 line 9
// Wrong: a component of a partial model.
partial model TwoPin
  Real u, i;
end TwoPin;
model PartialInstance
  TwoPin t;
equation
  t.u = 1;
  t.i = 2;
end PartialInstance;
