//! run: simulate --format json
//! approx: /final/s[1] == 10 +- 1e-9
//! approx: /final/s[3] == 7 +- 1e-9
//! approx: /final/m[3] == 3 +- 1e-9
//! approx: /final/t[4] == 30 +- 1e-9
//! approx: /final/w == 28 +- 1e-9
// Slices whose bounds follow from the variable of a loop: their sizes change from one round to the next.
model SlicesInLoops
  record R Real a; Real b[2]; end R;
  parameter Integer n = 4;
  Real d[n,2];
  Real s[n], m[n], t[n], w;
  R r[3];
equation
  for i in 1:n loop d[i,:] = {i*time, i}; end for;
  for i in 1:3 loop r[i].a = i*time; r[i].b = {i, 2*i}; end for;
algorithm
  for i in 1:n loop
    s[i] := sum(d[i:n,1]);
    m[i] := max(d[1:i,2]);
    t[i] := d[1:i,1]*d[1:i,2];
  end for;
  w := 0;
  for i in 1:3 loop
    w := w + sum(r[1:i].a) + r[i].b*{1,1};
  end for;
end SlicesInLoops;
