//! run: check --deny fixpoints
//! run: modes --format json
//! json: /loops len 0
// The instant of the last sample, then the source, then the limiter: one after the other.
model LimiterBehindPulse
  Real u, y;
  discrete Real T(start = 0, fixed = true);
equation
  when sample(0, 1) then
    T = time;
  end when;
  u = if time < T + 0.5 then 2 else 0;
  y = if u > 1 then 1 else u;
end LimiterBehindPulse;
