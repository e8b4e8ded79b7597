//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /mode_variables/0/name == "g1"
//! json: /mode_variables/1/name == "g2"
//! json: /mode_variables/1/definition == "not g1"
//! json: /classes/0/valuations/0/g2 == true
// Definitions between Booleans: g2 is no freedom of its own, x <= 0 is the opposite of x > 0.
model Complements
  Real x(start = 1);
  Real y;
  Real z;
  Boolean g1;
  Boolean g2;
equation
  g1 = x > 0;
  g2 = not g1;
  der(x) = if x <= 0 then 1 else -1;
  if g1 then
    y = 1;
    z = x;
  end if;
  if g2 then
    y = x;
    z = 2;
  end if;
end Complements;
