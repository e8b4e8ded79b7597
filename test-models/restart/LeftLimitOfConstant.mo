//! run: restart --from ring=false --to ring=true --at x=1,time=1 --format json
//! json: /verdict == "determined"
//! approx: /right/x == 6 +- 1e-12
//! run: restart --from ring=false --to ring=true --at x=1,gain=4,time=1 --format json
//! code: MS5015
//! json: /contradictions len 1
model LeftLimitOfConstant "What a law reads of an unknown before the instant is what its equation says"
  Real x(start = 1, fixed = true);
  Real gain;
  Boolean ring(start = false);
equation
  ring = time >= 1;
  gain = 3;
  der(x) = -gain*x;
  when ring then
    reinit(x, 2*pre(gain));
  end when;
end LeftLimitOfConstant;
