//! run: flatten --class FunctionAnnotations
// Functions with annotations: Inline, derivative, inverse, smoothOrder; impure and pure; what is printed of them.
function density
  input Real T;
  output Real d;
algorithm
  d := 1000 - 0.2*(T - 277)^2;
  annotation(derivative = density_der, inverse(T = temperature(d)), smoothOrder = 2);
end density;

function density_der
  input Real T, der_T;
  output Real der_d;
algorithm
  der_d := -0.4*(T - 277)*der_T;
end density_der;

function temperature
  input Real d;
  output Real T;
algorithm
  T := 277 + sqrt((1000 - d)/0.2);
end temperature;

function twice
  input Real u;
  output Real y;
algorithm
  y := 2*u;
  annotation(Inline = true);
end twice;

impure function stamp
  input Real t;
  output Real y;
algorithm
  y := t;
end stamp;

pure function cube
  input Real u;
  output Real y;
algorithm
  y := u*u*u;
  annotation(LateInline = true);
end cube;

model FunctionAnnotations
  Real T(start = 300, fixed = true);
  Real d = density(T);
  Real y = twice(T) + cube(time);
  discrete Real s;
equation
  der(T) = -0.1*(T - 280);
  when sample(0, 1) then
    s = stamp(time);
  end when;
end FunctionAnnotations;
