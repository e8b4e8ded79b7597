//! exit: 1
//! code: MS2024 line 6
//! snapshot
//! mend: 6:   parameter Real k[3] = fill(0.1, 3);
model ScalarForVector "Three tanks that drain"
  parameter Real k[3] = 0.1;
  Real h[3](each start = 1, each fixed = true);
equation
  der(h) = -k.*h;
end ScalarForVector;
