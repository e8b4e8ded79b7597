//! run: check
//! run: simulate --stop-time 3 --format json
//! approx: /final/n == 3 +- 1e-9
// `n := n + 1` in the `when` of an algorithm reads the value before the event.
model CountsInAlgorithm
  Integer n(start = 1, fixed = true);
  parameter Real t[2] = {0.5, 1.5};
algorithm
  when {time > t[1], time > t[2]} then
    n := n + 1;
  end when;
end CountsInAlgorithm;
