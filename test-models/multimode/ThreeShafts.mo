//! run: modes --format json
//! json: /mode_count == 4
//! run: restart --from a=false,b=false --to a=true,b=true --at w1=1,w2=4,w3=10 --format json
//! approx: /right/w1 == 6.5 +- 1e-6
//! approx: /right/w2 == 6.5 +- 1e-6
//! approx: /right/w3 == 6.5 +- 1e-6
//! run: restart --from a=true,b=false --to a=true,b=true --at w1=2,w2=2,w3=10 --format json
//! approx: /right/w1 == 6 +- 1e-6
//! approx: /right/w3 == 6 +- 1e-6
//! run: restart --from a=true,b=true --to a=true,b=false --at w1=2,w2=2,w3=2 --format json
//! approx: /right/w1 == 2 +- 1e-9
// Three shafts, two clutches.
model ThreeShafts
  parameter Real J[3] = {1, 2, 3};
  Real w1(start = 1), w2(start = 4), w3(start = 10);
  Real t1, t2;
  input Boolean a;
  input Boolean b;
equation
  J[1]*der(w1) = 5 - t1;
  J[2]*der(w2) = t1 - t2;
  J[3]*der(w3) = t2 - 0.1*w3;
  0 = if a then w1 - w2 else t1;
  0 = if b then w2 - w3 else t2;
end ThreeShafts;
