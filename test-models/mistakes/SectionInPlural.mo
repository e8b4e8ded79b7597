//! exit: 1
//! code: MS0022 line 9
//! snapshot
//! mend: 9: equation
model SectionInPlural "Cooling of a cup of tea"
  parameter Real h = 0.003;
  parameter Real T_room = 293.15;
  Real T(start = 363.15, fixed = true);
equations
  der(T) = -h*(T - T_room);
end SectionInPlural;
