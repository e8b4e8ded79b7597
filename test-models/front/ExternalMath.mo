//! run: flatten
//! stdout: constant Real angle = 1.5707963267948966;
//! stdout: constant Real n = 25.0;
// Functions of C's mathematical library have a value at translation; ends of ranges are met in spite of rounding.
model ExternalMath
  function arcsine
    input Real u;
    output Real y;
    external "C" y = asin(u);
  end arcsine;
  constant Real angle = arcsine(1.0);
  constant Real steps[:] = -2.4:0.2:2.4;
  constant Real n = size(steps, 1);
end ExternalMath;
