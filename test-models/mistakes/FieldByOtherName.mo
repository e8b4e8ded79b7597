//! exit: 1
//! code: MS2022 line 11
//! snapshot
//! mend: 11:   parameter Spring spring = Spring(stiffness = 20, length = 0.3);
// Wrong: the only field that is left has another name.
model FieldByOtherName
  record Spring
    Real stiffness;
    Real length;
  end Spring;
  parameter Spring spring = Spring(stiffness = 20, rest = 0.3);
  Real force = spring.stiffness*(time - spring.length);
end FieldByOtherName;
