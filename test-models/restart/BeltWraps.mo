//! run: restart --from end_=false --to end_=true --at s=1,v=0.5 --format json
//! json: /verdict == "determined"
//! approx: /right/s == 0 +- 1e-12
//! approx: /right/v == 0.5 +- 1e-12
//! run: simulate --stop-time 3 --format json
//! json: /completed == true
model BeltWraps "A position that starts again leaves its speed alone"
  Real s(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
  Boolean end_(start = false);
equation
  end_ = s >= 1;
  der(s) = v;
  der(v) = -0.1*v;
  when end_ then
    reinit(s, 0);
  end when;
end BeltWraps;
