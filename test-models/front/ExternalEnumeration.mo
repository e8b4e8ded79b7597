//! run: flatten
//! stdout: Real x[3];
//! stdout: constant Boolean same = true;
// An external function gives a literal of an enumeration by its number: what it compares decides about sizes.
model ExternalEnumeration
  type Compare = enumeration(Less, Equal, Greater);
  pure function compare
    input String a;
    input String b;
    input Boolean caseSensitive;
    output Compare result;
    external "C" result = ModelicaStrings_compare(a, b, caseSensitive);
  end compare;
  constant Boolean same = compare("a", "A", false) == Compare.Equal;
  constant Integer n = if compare("a", "b", true) == Compare.Less and compare("b", "a", true) == Compare.Greater then 3 else 1;
  Real x[n];
equation
  x = fill(time, n);
end ExternalEnumeration;
