//! exit: 1
//! code: MS0005 line 8
//! snapshot
//! mend: 8:   when {initial(), sample(1, 1)} then
model InitialWithoutBrackets "Counter set at the start"
  discrete Integer n(start = 0);
equation
  when {initial, sample(1, 1)} then
    n = pre(n) + 1;
  end when;
end InitialWithoutBrackets;
