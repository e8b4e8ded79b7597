//! exit: 1
//! code: MS0001 line 11
//! snapshot
//! mend: 11:       y := 1; return;
model ReturnWithValue "Saturated characteristic"
  function saturate
    input Real u;
    output Real y;
  algorithm
    if u > 1 then
      return 1;
    end if;
    y := u;
  end saturate;
  Real y = saturate(2*sin(time));
end ReturnWithValue;
