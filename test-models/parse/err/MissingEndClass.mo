//! run: parse
//! exit: 1
//! code: MS0004 line 9
package MissingEndClass
  model A
    Real x;
  equation
    x = 1;
  model B
    Real y = 2;
  end B;
end MissingEndClass;
