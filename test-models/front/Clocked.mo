//! run: flatten --class Clocked
//! stdout: Clock c = Clock(1, 10);
//! stdout: Clock slow = subSample(c, 2);
//! stdout: y = sample(u, c);
//! stdout: z = previous(z) + y;
//! stdout: held = hold(z);
//! stdout: b = sample(on, Clock());
//! run: check --class Clocked
//! code: MS2074
//! run: check --class TwoBranches
//! exit: 1
//! code: MS2032 line 37
//! run: check --class InAlgorithm
//! exit: 1
//! code: MS2032 line 46
// Clocks are typed and flattened; `b` has no clock, so that it ticks every second.
model Clocked
  Clock c = Clock(1, 10);
  Clock slow = subSample(c, 2);
  Real u = time;
  Boolean on = time > 1;
  Real y, z(start = 0), held;
  Boolean b;
equation
  y = sample(u, c);
  when c then
    z = previous(z) + y;
  end when;
  held = hold(z);
  when Clock() then
    b = sample(on);
  end when;
end Clocked;
model TwoBranches
  Real x;
equation
  when Clock(0.1) then
    x = 1;
  elsewhen time > 1 then
    x = 2;
  end when;
end TwoBranches;
model InAlgorithm
  Real x;
algorithm
  when Clock(1) then
    x := 0;
  end when;
end InAlgorithm;
