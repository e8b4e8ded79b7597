//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 1
//! json: /classes/0/dof == 1
// Sampling is an instant and no mode.
model SampledController
  Real x(start = 1);
  discrete Real u(start = 0);
equation
  when sample(0, 0.1) then
    u = -2*x;
  end when;
  der(x) = u;
end SampledController;
