//! run: parse
//! exit: 1
//! code: MS0004 line 8
package UnfinishedFile
  model A
    Real x;
  equation
    if x > 0 then
      x = 3 +