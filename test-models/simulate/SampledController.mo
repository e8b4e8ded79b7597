//! run: simulate --format json
//! json: /completed == true
//! json: /event_count == 11
//! approx: /final/x == 0.1073741824 +- 1e-9
//! approx: /final/u == -0.2147483648 +- 1e-9
//! approx: /final/count == 11 +- 1e-12
// x is multiplied by 0.8 in every period.
model SampledController
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0);
  discrete Integer count(start = 0);
equation
  when sample(0, 0.1) then
    u = -2*x;
    count = pre(count) + 1;
  end when;
  der(x) = u;
  annotation(experiment(StopTime = 1));
end SampledController;
