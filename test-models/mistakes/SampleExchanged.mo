//! exit: 1
//! code: MS2034 line 12
//! snapshot
//! mend: 12:   when sample(0, period) then
// Wrong: the interval of a sample comes second.
model SampleExchanged
  parameter Real period = 0.2;
  Real x(start = 1, fixed = true);
  discrete Real measured(start = 1, fixed = true);
equation
  der(x) = -measured;
  when sample(period, 0) then
    measured = x;
  end when;
end SampleExchanged;
