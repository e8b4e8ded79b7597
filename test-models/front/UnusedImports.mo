//! run: check
//! code: MS2039 line 11
//! code: MS2039 line 12
// An import that names nothing is reported even if nobody reads it; the model does not need it, so it is a warning.
package UnusedImports
  package Values
    constant Real a = 1;
    type Level = enumeration(low, high);
  end Values;
  model M
    import UnusedImports.Values.{a, b};
    import V = UnusedImports.Volumes;
    import UnusedImports.Values.Level;
    import UnusedImports.Values.Level.high;
    Real x = a;
  end M;
end UnusedImports;
