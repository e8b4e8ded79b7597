//! exit: 1
//! code: MS2004 line 14
//! snapshot
//! mend: 14:   power = plate.ratedTorque*plate.ratedSpeed;
// Wrong: a member is written with another case.
model MemberInOtherCase
  record Plate
    parameter Real ratedTorque = 10;
    parameter Real ratedSpeed = 150;
  end Plate;
  Plate plate;
  Real power;
equation
  power = plate.ratedtorque*plate.ratedSpeed;
end MemberInOtherCase;
