model TankFilledInWhen "A tank that is refilled at once"
  Real level(start = 1, fixed = true);
equation
  der(level) = -0.1*level;
  when level < 0.2 then
    level = 1;
  end when;
end TankFilledInWhen;
