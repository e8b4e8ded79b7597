//! exit: 1
//! code: MS6002 line 8
//! snapshot
//! mend: 11:   C*der(T) = 50 - G*(T - 20);
// Wrong: `der` is missing in the only balance of a storage.
model StorageWithoutDerivative
  parameter Real C = 200, G = 4;
  Real T(start = 20, fixed = true);
  Real loss = G*(T - 20);
equation
  C*T = 50 - G*(T - 20);
end StorageWithoutDerivative;
