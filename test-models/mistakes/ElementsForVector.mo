//! exit: 1
//! code: MS2022 line 13
//! snapshot
//! mend: 13:   Real m = mean({time, 2*time, 3});
// Wrong: elements are given one by one for a vector.
model ElementsForVector
  function mean
    input Real x[:];
    output Real m;
  algorithm
    m := sum(x)/size(x, 1);
  end mean;
  Real m = mean(time, 2*time, 3);
end ElementsForVector;
