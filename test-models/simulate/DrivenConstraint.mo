//! run: simulate --input DrivenConstraint.csv --format json
//! json: /completed == true
//! approx: /final/v == -1 +- 1e-9
//! approx: /final/p == 5 +- 1e-8
//! json: /final/steep == 1.0
//! json: /event_count == 2
// An input that prescribes a position: the speed is its slope, which changes at the rows of the table without a jump of
// the position. Rows at which nothing but a slope changes are no events; the two at which a condition on it changes are.
model DrivenConstraint
  input Real s;
  Real v = der(s);
  Real p(start = 0, fixed = true);
  discrete Integer steep(start = 0, fixed = true);
equation
  der(p) = s;
  when v > 1.5 then
    steep = pre(steep) + 1;
  end when;
  annotation(experiment(StopTime = 4, Tolerance = 1e-10));
end DrivenConstraint;
