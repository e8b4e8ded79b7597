//! exit: 1
//! code: MS2048 line 16
//! snapshot
//! mend: 16:   when sample(0, 0.1) then
//! mend: 16+:     reading = measure();
//! mend: 16+:   end when;
// Wrong: an impure function is called in an ordinary equation.
model ImpureBetweenEvents
  impure function measure
    output Real value;
  algorithm
    value := 3;
  end measure;
  discrete Real reading(start = 0);
equation
  reading = measure();
end ImpureBetweenEvents;
