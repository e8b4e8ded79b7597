//! run: check --deny warnings
//! exit: 1
//! code: MS2052 line 11
// The annotation of one declaration does not apply to another.
model AllowedElsewhere
  Real h(start = 5, fixed = true, max = 3)
    annotation(__modeshift(allow = "MS2052"));
equation
  der(h) = -h;
public
  Real g(start = 5, fixed = true, max = 3);
equation
  der(g) = -g;
end AllowedElsewhere;
