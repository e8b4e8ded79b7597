model LiteralWithoutType "Traffic light"
  type Light = enumeration(red, yellow, green);
  Light light;
  Real wait;
equation
  light = if mod(time, 60) < 30 then red else Light.green;
  wait = if light == Light.red then 1 else 0;
end LiteralWithoutType;
