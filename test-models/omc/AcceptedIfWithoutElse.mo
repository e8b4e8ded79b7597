//! run: flatten --class AcceptedIfWithoutElse
// Accepted when flattened (translation reports it later): an if-equation on time without else.
model AcceptedIfWithoutElse
  Real x(start = 0);
equation
  der(x) = 1;
  if time > 1 then
    x = 2;
  end if;
end AcceptedIfWithoutElse;
