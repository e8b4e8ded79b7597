//! run: flatten --class IntegerLogic
// Integer arithmetic: div, mod, rem, integer, floor, ceil, sign, abs; an Integer counter and an index from a variable.
model IntegerLogic
  parameter Integer table[4] = {3, 1, 4, 1};
  Integer n(start = 0, fixed = true);
  Integer index = mod(n, 4) + 1;
  Real value = table[index];
  Integer d = div(n, 3), r = rem(n, 3), s = sign(n - 2), a = abs(n - 2);
  Integer i = integer(2.5*time);
  Real f = floor(time) + ceil(time/2) + mod(time, 0.3) + rem(-time, 0.3) + div(time, 0.7);
  parameter Integer p = 7, q = div(p, 2) + mod(-p, 3) + rem(-p, 3);
  Real ratio = n/4;
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end IntegerLogic;
