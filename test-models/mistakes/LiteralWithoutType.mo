//! exit: 1
//! code: MS2001 line 10
//! snapshot
//! mend: 10:   light = if mod(time, 60) < 30 then Light.red else Light.green;
model LiteralWithoutType "Traffic light"
  type Light = enumeration(red, yellow, green);
  Light light;
  Real wait;
equation
  light = if mod(time, 60) < 30 then red else Light.green;
  wait = if light == Light.red then 1 else 0;
end LiteralWithoutType;
