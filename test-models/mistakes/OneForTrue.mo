//! exit: 1
//! code: MS2024 line 9
//! snapshot
//! mend: 9:   pump = if level > 2.5 then true elseif level < 1.5 then false else pre(pump);
model OneForTrue "Pump between two levels"
  Real level = 2 + sin(time);
  Boolean pump(start = false, fixed = true);
equation
  pump = if level > 2.5 then 1 elseif level < 1.5 then 0 else pre(pump);
end OneForTrue;
