//! run: simulate --format json
//! json: /completed == true
//! approx: /final/C1.v == 0.496709583836 +- 1e-6
//! approx: /final/C3.v == 0.446938521612 +- 1e-6
//! approx: /final/C5.v == 0.485112239552 +- 1e-6
// Two loops of capacitors: two of the five capacitors are no states.
model CauerFilter
  extends Modeshift.Examples.Electrical.CauerLowPass;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end CauerFilter;
