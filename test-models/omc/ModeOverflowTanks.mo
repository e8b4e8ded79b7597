//! run: flatten --class ModeOverflowTanks
// Multimode: a row of tanks that overflow into the next; an if-equation per tank inside a for-equation, full or not full.
model ModeOverflowTanks
  parameter Integer n = 3;
  parameter Real cap[n] = {1, 0.5, 2}, A = 1;
  Real level[n](each start = 0.1, each fixed = true), over[n];
  Boolean full[n](each start = false, each fixed = true);
  Real feed = if time < 10 then 0.2 else 0;
equation
  for i in 1:n loop
    A*der(level[i]) = (if i == 1 then feed else over[i - 1]) - over[i] - 0.05;
    when level[i] >= cap[i] then
      full[i] = true;
    elsewhen pre(full[i]) and over[i] < 0 then
      full[i] = false;
    end when;
    if full[i] then
      der(level[i]) = 0;
    else
      over[i] = 0;
    end if;
  end for;
end ModeOverflowTanks;
