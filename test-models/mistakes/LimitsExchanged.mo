//! exit: 1
//! code: MS6010 line 17
//! snapshot
//! mend: 17:   Limiter limiter(u = 10*sin(time), low = -limit, high = limit);
// Wrong: the limits are exchanged, which an assertion about parameters says.
model LimitsExchanged
  block Limiter
    parameter Real low;
    parameter Real high;
    input Real u;
    output Real y;
  equation
    assert(low < high, "low (=" + String(low) + ") must be below high");
    y = min(high, max(low, u));
  end Limiter;
  parameter Real limit = 5;
  Limiter limiter(u = 10*sin(time), low = limit, high = -limit);
end LimitsExchanged;
