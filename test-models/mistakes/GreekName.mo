//! exit: 1
//! code: MS0009 line 6
//! snapshot
// Wrong: letters outside of ASCII need quotes, in every place.
model GreekName "Decay"
  Real φ(start = 0.1, fixed = true);
equation
  der(φ) = -φ;
end GreekName;
