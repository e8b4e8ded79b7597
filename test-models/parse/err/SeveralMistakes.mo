//! run: parse
//! exit: 1
//! code: MS0003 line 10
//! code: MS0002 line 11
//! code: MS0005 line 12
//! code: MS0001 line 14
//! code: MS0008 line 15
// Five independent mistakes, five messages.
package SeveralMistakes
  model A
    Real x
    Real y = (1 + 2;
  equation
    x = y +;
    y := 2;
  end B;
  model C
    Real z = 1;
  end C;
end SeveralMistakes;
