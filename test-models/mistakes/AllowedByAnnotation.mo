//! run: check --deny warnings
// The warnings of both places are allowed, one for the equation and one for the class.
package AllowedByAnnotation
  model Filter
    Real u = sin(time);
    discrete Real y(start = 0, fixed = true);
  equation
    when sample(0, 0.1) then
      y = 0.9*y + 0.1*u annotation(__modeshift(allow = "MS4019"));
    end when;
  end Filter;
  model Tank
    Real h(start = 5, fixed = true, max = 3);
  equation
    der(h) = -h;
    annotation(__modeshift(allow = "MS4004, out-of-bounds"));
  end Tank;
  model Beside
    // modeshift: allow MS2052 -- filled by hand
    Real h(start = 5, fixed = true, max = 3);
  equation
    der(h) = -h;
  end Beside;
end AllowedByAnnotation;
