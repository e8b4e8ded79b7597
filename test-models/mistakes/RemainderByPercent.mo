//! exit: 1
//! code: MS0009 line 7
//! snapshot
//! mend: 7:   Boolean even = mod(n, 2) == 0;
model RemainderByPercent "Even numbers"
  Integer n = integer(10*time);
  Boolean even = n % 2 == 0;
end RemainderByPercent;
