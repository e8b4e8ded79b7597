//! exit: 1
//! code: MS2023 line 16
//! snapshot
//! mend: 16:   rho = density("air", 1e5 + time, 300);
model ArgumentsInOtherOrder "Density of a gas"
  function density
    input String gas;
    input Real p;
    input Real T;
    output Real rho;
  algorithm
    rho := if gas == "air" then p/(287*T) else p/(297*T);
  end density;
  Real rho;
equation
  rho = density(1e5 + time, 300, "air");
end ArgumentsInOtherOrder;
