//! run: check --deny warnings
//! exit: 1
//! code: MS2047 line 12
//! snapshot
//! mend: 16:     else y := x; end if;
// Wrong: between the limits the function assigns nothing.
model OutputInSomeBranches
  function saturate
    input Real x;
    output Real y;
  algorithm
    if x < -1 then
      y := -1;
    elseif x > 1 then
      y := 1;
    end if;
  end saturate;
  Real y = saturate(3*sin(time));
end OutputInSomeBranches;
