//! run: check --class Tuples
//! run: check --class Records
//! run: check --class Known
//! run: modes --class Decides --format json
//! json: /verdict == "accepted"
// Results of functions define Integers and Booleans: in tuples, in records, and where the arguments are known.
function split
  input Real x;
  output Integer n;
  output Boolean positive;
  output Real rest;
algorithm
  n := integer(x);
  positive := x > 0;
  rest := x - n;
end split;
record Place
  Integer row;
  Integer column;
  Real value;
end Place;
function place
  input Integer n;
  input Real x;
  output Place p;
algorithm
  p := Place(n, 2 * n, x);
end place;
model Tuples
  Integer n;
  Boolean positive;
  Real rest;
  discrete Real u(start = 0, fixed = true);
equation
  when sample(0, 1) then
    u = time;
  end when;
  (n, positive, rest) = split(u);
end Tuples;
model Records
  Place p, q;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 1) then
    n = pre(n) + 1;
  end when;
  p = place(n, time);
  q = place(2, time);
end Records;
model Known
  Integer n;
  Boolean positive;
equation
  (n, positive) = split(2.5);
end Known;
model Decides
  Integer n;
  Boolean positive;
  Real x;
equation
  (n, positive) = split(2.5);
  x = if positive then time else -time;
end Decides;
