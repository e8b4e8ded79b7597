//! run: simulate --class Functions --format json
//! json: /completed == true
//! approx: /final/x == 2.718281828 +- 1e-6
//! approx: /final/y == 3.718281828 +- 1e-6
//! approx: /final/z == 1.648721271 +- 1e-6
// Functions are written out where they are called: loops unrolled, branches selected, derivatives included.
function horner
  input Real c[3];
  input Real u;
  output Real v;
algorithm
  v := 0;
  for i in 3:-1:1 loop
    v := v*u + c[i];
  end for;
end horner;

function clipped
  input Real u;
  output Real v;
algorithm
  if u < 0 then
    v := 0;
  else
    v := u;
  end if;
end clipped;

function root
  input Real u;
  output Real v;
algorithm
  v := sqrt(u);
end root;

model Functions
  Real x(start = 1, fixed = true);
  Real y;
  Real z;
equation
  der(x) = clipped(x);
  y = horner({1, 1, 0}, x);
  root(x) = z;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Functions;
