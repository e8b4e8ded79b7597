//! run: flatten --class ForEquationsUnrolled
// for-equations whose range comes from size, from a colon dimension and from a parameter with annotation Evaluate=false.
model ForEquationsUnrolled
  parameter Real tau[:] = {1, 2, 5};
  Real x[size(tau, 1)](each start = 1);
  parameter Integer n = size(tau, 1);
  parameter Integer m = 2 annotation(Evaluate = false);
  Real y[n];
  Real z(start = 0);
equation
  for i in 1:size(x, 1) loop
    tau[i]*der(x[i]) = (if i == 1 then 1 else x[i - 1]) - x[i];
  end for;
  for i loop
    y[i] = x[i]^2;
  end for;
algorithm
  z := 0;
  for i in 1:m loop
    z := z + i*time;
  end for;
end ForEquationsUnrolled;
