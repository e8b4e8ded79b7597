//! run: flatten --class InnerOuterShadow
// Nearest inner wins; a component both inner and outer; outer with a subtype; an inner class (function).
partial function Field
  input Real x;
  output Real y;
end Field;

function constantField
  extends Field;
algorithm
  y := 1;
end constantField;

function linearField
  extends Field;
  input Real slope = 2;
algorithm
  y := slope*x;
end linearField;

model Env
  Real T;
end Env;

model BigEnv
  extends Env;
  parameter Real p = 1e5;
end BigEnv;

model Probe
  outer Env env;
  outer function field = Field;
  Real y = env.T + field(time);
end Probe;

model Cabin
  inner outer Env env(T = 293);
  Probe probe;
  Real fromOutside = 2*env.T;
end Cabin;

model House
  inner Env env(T = 295 + time);
  inner function field = linearField(slope = 3);
  Probe probe;
end House;

model InnerOuterShadow
  inner BigEnv env(T = 280);
  inner function field = constantField;
  Probe probe;
  House house;
  Cabin cabin;
end InnerOuterShadow;
