//! run: transitions --from on=false --to on=true --format table
//! stdout: der(v1)
//! stdout: i
model CurrentBetweenCapacitors "The current is impulsive, whatever name it was given"
  Real v1(start = 10, fixed = true);
  Real v2(start = 2, fixed = true);
  Real i;
  input Boolean on;
equation
  der(v1) = -i;
  3*der(v2) = i;
  if on then
    v1 = v2;
  else
    i = 0;
  end if;
end CurrentBetweenCapacitors;
