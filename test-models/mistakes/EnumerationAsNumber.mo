//! exit: 1
//! code: MS2021 line 10
//! snapshot
//! mend: 10:   P = if speed == Speed.off then 0 elseif speed == Speed.low then 40 else 90;
model EnumerationAsNumber "Two-speed fan"
  type Speed = enumeration(off, low, high);
  Speed speed = if time < 1 then Speed.off elseif time < 2 then Speed.low else Speed.high;
  Real P;
equation
  P = if speed == 1 then 0 elseif speed == Speed.low then 40 else 90;
end EnumerationAsNumber;
