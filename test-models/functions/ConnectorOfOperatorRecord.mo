//! run: simulate --format json
//! approx: /final/y.re == 3 +- 1e-9
//! approx: /final/z.im == 5 +- 1e-9
//! approx: /final/n.re == -1 +- 1e-9
// A connector that is an operator record has its operators (Modelica 3.6 §14), whichever side of an operator it stands on.
model ConnectorOfOperatorRecord
  operator record Voltage = Complex(re(unit = "V"), im(unit = "V"));
  connector Input = input Complex;
  connector VoltageInput = input Voltage;
  connector VoltageOutput = output Complex(re(unit = "V"), im(unit = "V"));
  block Scale
    Input u;
    Complex y = 3*u;
  end Scale;
  block Turn
    VoltageInput u(re(start = 1));
    VoltageOutput y = 5*u*Complex(0, 1);
    Complex n = -u;
  end Turn;
  Scale scale(u = Complex(1, 0));
  Turn turn(u = Complex(1, 0));
  Complex y = scale.y, z = turn.y, n = turn.n;
end ConnectorOfOperatorRecord;
