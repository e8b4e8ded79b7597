//! exit: 1
//! code: MS5003 line 10
//! snapshot
//! mend: 10:     reinit(level, 1);
model TankFilledInWhen "A tank that is refilled at once"
  Real level(start = 1, fixed = true);
equation
  der(level) = -0.1*level;
  when level < 0.2 then
    level = 1;
  end when;
end TankFilledInWhen;
