//! run: flatten --class BooleanLogic
// Boolean logic: a latch with pre, priorities of and/or/not, exclusive or by comparison, arrays of Booleans.
model BooleanLogic
  Boolean set = time > 1 and time < 1.5;
  Boolean reset = time > 2 or time < 0.1;
  Boolean latch(start = false, fixed = true);
  Boolean a = not set or reset and latch;
  Boolean xor = set <> reset;
  Boolean bits[3] = {time > 0.25, time > 0.5, time > 0.75};
  Boolean all3 = bits[1] and bits[2] and bits[3];
  Boolean mask[3] = bits and {true, false, true};
  Integer number = sum(if b then 1 else 0 for b in bits);
equation
  latch = (set or pre(latch)) and not reset;
end BooleanLogic;
