//! run: check --library lib
//! exit: 1
//! code: MS2004 line 10
//! code: MS2006 line 11
//! snapshot
// Wrong: names of an older version of the library, whose conversion script says what they have become.
model RenamedInLibrary
  parameter Real k = 2;
  // A speed and a pump.
  parameter Pumps.SpeedTypes.Speed n = 3000;
  Pumps.Pump pump(lift = k);
end RenamedInLibrary;
