//! run: parse
model Windows // byte-order mark, carriage returns
  /* a
  comment */
  Real x = 1;
end Windows;
