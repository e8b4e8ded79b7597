//! exit: 1
//! code: MS5003 line 9
//! snapshot
//! mend: 9:     samples = pre(samples) + 1;
model CounterOfItself "Counts samples"
  discrete Integer samples(start = 0, fixed = true);
equation
  when sample(0, 0.5) then
    samples = samples + 1;
  end when;
end CounterOfItself;
