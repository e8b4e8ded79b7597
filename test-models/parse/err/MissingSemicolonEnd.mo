//! run: parse
//! exit: 1
//! code: MS0002 line 7
package MissingSemicolonEnd
  model A
    Real x = 1;
  end A
  model B
    Real y = 2;
  end B;
end MissingSemicolonEnd;
