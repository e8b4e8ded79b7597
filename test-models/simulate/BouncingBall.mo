//! run: simulate --format json
//! exit: 1
//! json: /completed == false
//! code: MS6006
//! approx: /events/0/time == 0.4515236409857 +- 1e-8
//! approx: /time == 2.5586 +- 1e-3
// The impacts accumulate at (1 + 2·0.7/(1 − 0.7))·√(2/9.81) = 2.558634 s.
model BouncingBall
  Real h(start = 1);
  Real v(start = 0);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
  annotation(experiment(StopTime = 5));
end BouncingBall;
