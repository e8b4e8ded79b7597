//! run: check --class TypeOfComponent
//! exit: 1
//! code: MS2011 line 44
//! run: check --class TypeOfClass
//! exit: 1
//! code: MS2011 line 47
//! run: check --class WiderConstraint
//! exit: 1
//! code: MS2011 line 50
//! run: check --class NotReplaceable --deny not-replaceable
//! exit: 1
//! code: MS2010 line 53
//! run: check --class Fine
// Wrong: what is redeclared a second time fits the first redeclaration and its constraining type; that one should be replaceable.
model Small
  Real x = 1;
end Small;
model Large
  Real x = 2;
  Real y = 3;
end Large;
model Other
  Real x = 3;
  Real y = 5;
end Other;
model Part
  replaceable Large part constrainedby Small;
  replaceable model Kind = Small;
  Kind kind;
end Part;
model Narrow
  extends Part(replaceable Other part constrainedby Other);
end Narrow;
model NarrowClass
  extends Part(replaceable model Kind = Large constrainedby Large);
end NarrowClass;
model Wide
  replaceable Large part constrainedby Large;
end Wide;
model Settled
  extends Part(redeclare Large part);
end Settled;
model TypeOfComponent
  Narrow narrow(redeclare Small part);
end TypeOfComponent;
model TypeOfClass
  extends NarrowClass(redeclare model Kind = Small);
end TypeOfClass;
model WiderConstraint
  extends Wide(replaceable Other part constrainedby Small);
end WiderConstraint;
model NotReplaceable
  extends Settled(redeclare Other part);
end NotReplaceable;
model Fine
  extends Narrow(redeclare Other part);
end Fine;
