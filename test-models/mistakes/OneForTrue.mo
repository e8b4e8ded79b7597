model OneForTrue "Pump between two levels"
  Real level = 2 + sin(time);
  Boolean pump(start = false, fixed = true);
equation
  pump = if level > 2.5 then 1 elseif level < 1.5 then 0 else pre(pump);
end OneForTrue;
