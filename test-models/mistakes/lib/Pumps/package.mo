//! part: of RenamedInLibrary
package Pumps
  package Types
    type Speed = Real(unit = "1/min");
  end Types;
  model Pump
    parameter Real head = 1;
    Real p = head*time;
  end Pump;
  annotation(version = "2.0", conversion(from(version = "1.0", script = "modelica://Pumps/Resources/from1to2.mos")));
end Pumps;
