//! run: check --deny warnings
//! exit: 1
//! code: MS2053 line 16
//! snapshot
//! mend: 13:     Real energy = 0;
// Wrong: a sum goes on from a value that it never had.
model SumNotStarted
  function total
    input Real power[:];
    input Real step;
    output Real result;
  protected
    Real energy;
  algorithm
    for k in 1:size(power, 1) loop
      energy := energy + step*power[k];
    end for;
    result := energy;
  end total;
  Real E = total({1, time, 2}, 0.5);
end SumNotStarted;
