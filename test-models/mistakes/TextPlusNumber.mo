//! exit: 1
//! code: MS2021 line 8
//! snapshot
//! mend: 8:   String s = "level " + String(n);
// Wrong: a number is added to a text.
model TextPlusNumber
  parameter Integer n = 3;
  String s = "level " + n;
end TextPlusNumber;
