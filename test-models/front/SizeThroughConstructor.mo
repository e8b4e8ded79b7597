//! run: flatten
//! stdout: final parameter Integer n = 3
//! stdout: parameter Real line.shape.x[3] = x[3];
// A field that a record constructor names is known, although another argument has a size that needs this very field.
model SizeThroughConstructor
  record Shape
    parameter Integer n;
    parameter Real x[:];
  end Shape;
  record Line
    parameter Shape shape;
  end Line;
  parameter Line line(shape = Shape(n = 3, x = x));
  parameter Integer n = line.shape.n;
  final parameter Real x[n] = {i for i in 1:n};
end SizeThroughConstructor;
