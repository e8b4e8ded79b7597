//! run: parse
package External
  function plain
    input Real x;
    output Real y;
    external;
  end plain;
  function named
    input Real x[:];
    output Real y;
    external "C" y = c_name(x, size(x, 1), 2*3) annotation(Library = "m", Include = "#include <m.h>");
    annotation(Inline = false);
  end named;
  function procedure
    input Real x;
    external "FORTRAN 77" sub(x);
  end procedure;
  function builtin
    external "builtin" annotation(x = 1);
  end builtin;
end External;
