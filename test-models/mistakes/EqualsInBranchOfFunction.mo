//! exit: 1
//! code: MS0008 line 13
//! snapshot
//! mend: 13:     if stage == 2 then
// Wrong: `=` compares in a function.
model EqualsInBranchOfFunction
  function efficiency
    input Real load;
    input Integer stage;
    output Real eta;
  algorithm
    // The second stage is better.
    if stage = 2 then
      eta := 0.9 - 0.1*load;
    else
      eta := 0.8;
    end if;
  end efficiency;
  Real eta = efficiency(0.5 + 0.4*sin(time), 2);
end EqualsInBranchOfFunction;
