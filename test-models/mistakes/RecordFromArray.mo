//! exit: 1
//! code: MS2020 line 11
//! snapshot
//! mend: 11:   parameter Material steel = Material(7800, 460);
// Wrong: an array is given for a record.
model RecordFromArray
  record Material
    Real rho;
    Real cp;
  end Material;
  parameter Material steel = {7800, 460};
  Real T(start = 300, fixed = true);
equation
  steel.rho*steel.cp*der(T) = 1e5;
end RecordFromArray;
