//! run: transitions --format json
//! json: /change_count == 0
//! run: check --deny warnings
//! exit: 0
// `left` is found at the start and has one value for a whole run: each of its modes is analysed, but there is no change between them.
model BooleanParameter "A branch that is chosen at the start"
  final parameter Boolean left(fixed = false);
  Real x(start = 1, fixed = true);
  Real y;
  Real a;
initial equation
  left = x < 0;
equation
  der(x) = -y;
  y = if left then -sqrt(x^2 + 1) else sqrt(x^2 + 1);
  a = sin(der(y));
end BooleanParameter;
