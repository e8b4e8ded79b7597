//! run: simulate --format json --stop-time 8
//! json: /event_count == 1600
// The capacitor alone would allow steps of several periods of the source: no pair of diodes may be passed over.
model RectifierLongRun "Two pairs of ideal diodes charge a capacitor; the source is fast, the capacitor is slow"
  parameter Real C = 1e-3;
  parameter Real R = 100;
  parameter Real Rs = 1;
  Real source = 20*sin(100*3.141592653589793*time);
  Real vc(start = 0, fixed = true);
  Real i1, i2, v1, v2;
  Real s1, s2;
  Boolean on1, on2;
equation
  on1 = s1 > 0;
  i1 = if on1 then s1 else 0;
  v1 = if on1 then 0 else s1;
  v1 = source - Rs*i1 - vc;
  on2 = s2 > 0;
  i2 = if on2 then s2 else 0;
  v2 = if on2 then 0 else s2;
  v2 = -source - Rs*i2 - vc;
  C*der(vc) = i1 + i2 - vc/R;
end RectifierLongRun;
