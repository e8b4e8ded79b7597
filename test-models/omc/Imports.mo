//! run: flatten --class Imports
//! exit: 1
//! code: MS0001
// All four forms of import: qualified, renaming, unqualified, and a list; also inside a package and inherited lookup.
package Lib
  package Units
    type Mass = Real(unit = "kg");
    type Force = Real(unit = "N");
    type Speed = Real(unit = "m/s");
  end Units;
  package Constants
    constant Real g = 9.81;
    constant Real c = 3e8;
  end Constants;
  package Functions
    function square
      input Real x;
      output Real y = x*x;
    algorithm
    end square;
    function half
      input Real x;
      output Real y;
    algorithm
      y := x/2;
    end half;
    function cube
      input Real x;
      output Real y;
    algorithm
      y := x*square(x);
    end cube;
  end Functions;
end Lib;

model Imports
  import Lib.Units.Mass;
  import C = Lib.Constants;
  import Lib.Functions.*;
  import Lib.Units.{Force, Velocity = Speed};
  import Third = Lib.Functions.cube;
  parameter Mass m = 2;
  Force F = m*C.g;
  Velocity v(start = 0);
  Real E = half(m)*square(v) + 0*Third(v);
equation
  m*der(v) = F;
end Imports;
