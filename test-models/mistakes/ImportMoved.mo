//! exit: 1
//! code: MS2039 line 6
//! snapshot
//! mend: 6:   import Modelica.Units.SI;
model ImportMoved
  import SI = Modelica.SIunits;
  parameter SI.Resistance R = 10;
  SI.Current i;
equation
  R*i = 5;
end ImportMoved;
