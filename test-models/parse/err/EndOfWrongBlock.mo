//! run: parse
//! exit: 1
//! code: MS0003 line 7
model EndOfWrongBlock
  Real x[3];
equation
  for i in 1:3 loop
    x[i] = i;
  end if;
end EndOfWrongBlock;
