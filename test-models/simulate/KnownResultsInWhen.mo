//! run: simulate --format json
//! json: /final/a == 3.0
//! json: /final/b == 13.0
// Several results of a function at once in `when`, with arguments that are known beforehand.
model KnownResultsInWhen
  function pair
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := u + 10;
  end pair;
  discrete Real a, b;
equation
  when time > 0.5 then
    (a, b) = pair(2);
  elsewhen time > 0.9 then
    (a, b) = pair(3);
  end when;
end KnownResultsInWhen;
