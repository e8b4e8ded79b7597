//! run: check --class ProtectedAccess
//! exit: 1
//! code: MS2009 line 11
// Wrong: a protected variable of a component is used from outside.
model Pump
protected
  Real hidden = time;
end Pump;
model ProtectedAccess
  Pump p;
  Real y = p.hidden;
end ProtectedAccess;
