//! run: check --class WrongDimensions
//! exit: 1
//! code: MS2024 line 9
// Wrong: a vector of two is set equal to a vector of three.
model WrongDimensions
  Real v[3];
  Real w[2] = {time, 2*time};
equation
  v = w;
end WrongDimensions;
