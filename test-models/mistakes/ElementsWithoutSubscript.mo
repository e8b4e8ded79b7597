//! exit: 1
//! code: MS2024 line 16
//! snapshot
//! mend: 16:   T_last = cell[3].T;
model ElementsWithoutSubscript "Battery pack, hottest cell"
  model Cell
    parameter Real C = 90;
    parameter Real P = 2;
    Real T(start = 298, fixed = true);
  equation
    C*der(T) = P - 0.05*(T - 298);
  end Cell;
  Cell cell[3](P = {2, 2.5, 3});
  Real T_last;
equation
  T_last = cell.T;
end ElementsWithoutSubscript;
