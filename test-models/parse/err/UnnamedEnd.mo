//! run: parse
//! exit: 1
//! code: MS0003 line 9
model UnnamedEnd
  Real x;
equation
  when x > 1 then
    reinit(x, 0);
  end;
  der(x) = 1;
end UnnamedEnd;
