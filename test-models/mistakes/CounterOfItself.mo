model CounterOfItself "Counts samples"
  discrete Integer samples(start = 0, fixed = true);
equation
  when sample(0, 0.5) then
    samples = samples + 1;
  end when;
end CounterOfItself;
