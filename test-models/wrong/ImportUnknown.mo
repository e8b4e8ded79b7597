//! run: check --class ImportUnknown
//! exit: 1
//! code: MS2039 line 9
// Wrong: an import of a name that does not exist.
package Lib
  constant Real c = 1;
end Lib;
model ImportUnknown
  import Lib.d;
  Real y = d*time;
end ImportUnknown;
