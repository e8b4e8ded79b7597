//! run: parse
//! exit: 1
//! code: MS0021 line 9
//! code: MS0021 line 12
//! code: MS0001 line 15
model MissingWords
  Real x, y[3];
equation
  if x > 0
    x = 1;
  end if;
  for i in 1:3
    y[i] = i;
  end for;
  x = if y[1] > 0 then 1;
end MissingWords;
