//! run: simulate --class Modeshift.Examples.Electrical.BuckConverter --stop-time 0.02 --format json
//! exit: 0
//! json: /completed == true
//! approx: /final/capacitor.v == 9.6 +- 0.05
//! approx: /minimum/inductor.i == 0 +- 1e-9
// The output of a step-down converter is its source times its duty: 40 % of 24 V.
model BuckConverter
end BuckConverter;
