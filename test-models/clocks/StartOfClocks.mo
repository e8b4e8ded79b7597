//! run: simulate --format json --start-time 5.03 --stop-time 5.2
//! json: /completed == true
//! approx: /final/ticks == 2 +- 1e-9
//! approx: /final/t == 5.13 +- 1e-9
// Clocks begin to tick at the start, wherever it is.
model StartOfClocks
  Real ticks(start = 0), t;
equation
  when Clock(1, 10) then
    ticks = previous(ticks) + 1;
    t = sample(time);
  end when;
end StartOfClocks;
