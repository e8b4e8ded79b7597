//! run: simulate --format json
//! json: /completed == true
//! approx: /time == 1.38629436112 +- 1e-6
//! code: MS6017
// `terminate` ends a simulation without an error.
model Terminated
  Real level(start = 1, fixed = true);
equation
  der(level) = -0.5*level;
  when level < 0.5 then
    terminate("the tank is half empty");
  end when;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end Terminated;
