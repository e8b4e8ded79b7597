//! run: restart --from c[1]=false,c[2]=true,c[3]=true --to c[1]=true,c[2]=true,c[3]=true --at v[1]=8,v[2]=0,v[3]=0,v[4]=0 --format json
//! approx: /right/v[1] == 2 +- 1e-9
//! approx: /right/v[4] == 2 +- 1e-9
//! approx: /weights/f[1] == 6 +- 1e-9
//! approx: /weights/f[3] == 2 +- 1e-9
// Four equal carts in a row, three of them coupled already: the first one runs into them.
model CartRow
  parameter Integer n = 4;
  Real v[n](start = {8, 0, 0, 0}), f[n - 1];
  input Boolean c[n - 1];
equation
  der(v[1]) = -f[1];
  for k in 2:n - 1 loop
    der(v[k]) = f[k - 1] - f[k];
  end for;
  der(v[n]) = f[n - 1];
  for k in 1:n - 1 loop
    0 = if c[k] then v[k] - v[k + 1] else f[k];
  end for;
end CartRow;
