//! run: parse
//! exit: 1
//! code: MS0007 line 9
//! code: MS0007 line 11
model StrayEnd
  Real x;
equation
  x = 1;
  end if;
end StrayEnd;
end StrayEnd;
