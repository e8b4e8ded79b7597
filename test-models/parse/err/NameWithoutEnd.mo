//! run: parse
//! exit: 1
//! code: MS0003 line 7
package NameWithoutEnd
  model A
    Real x = 1;
  A;
  model B
    Real y = 2;
  end B;
end NameWithoutEnd;
