//! run: modes --format json
//! exit: 1
//! json: /verdict == "rejected"
//! code: MS4001
// Four ideal diodes: with all of them blocking (or all conducting) the potentials float.
model DiodeBridge
  parameter Real R = 10;
  Real i[4];
  Real u[4];
  Real s[4];
  Real va;
  Real vb;
  Real vp;
  Real vn;
  Real is;
  Boolean on[4], reached[4](each start = true, each fixed = true);
equation
  for k in 1:4 loop
    reached[k] = s[k] >= 0;
    on[k] = pre(reached[k]);
    s[k] = if on[k] then i[k] else u[k];
    0 = if on[k] then u[k] else i[k];
  end for;
  va - vb = sin(time);
  vn = 0;
  u[1] = va - vp;
  u[2] = vb - vp;
  u[3] = vn - va;
  u[4] = vn - vb;
  is = i[1] - i[3];
  0 = is + i[2] - i[4];
  i[1] + i[2] = (vp - vn)/R;
end DiodeBridge;
