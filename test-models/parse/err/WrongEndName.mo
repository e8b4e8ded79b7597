//! run: parse
//! exit: 1
//! code: MS0003 line 5
package WrongEndName
  model Pump
    Real x = 1;
  end Pmup;
end WrongEndName;
