//! run: simulate --format json
//! approx: /final/y.re == 3 +- 1e-9
//! approx: /final/z.im == 5 +- 1e-9
//! approx: /final/n.re == -1 +- 1e-9
// A connector that is an operator record has its operators (Modelica 3.6 §14), whichever side of an operator it stands on.
operator record Phasor
  Real re;
  Real im;
  encapsulated operator 'constructor'
    import Phasor;
    function fromReal
      input Real re;
      input Real im = 0;
      output Phasor p(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator '*'
    import Phasor;
    function multiply
      input Phasor a;
      input Phasor b;
      output Phasor c;
    algorithm
      c := Phasor(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
  end '*';
  encapsulated operator '-'
    import Phasor;
    function negate
      input Phasor a;
      output Phasor b = Phasor(-a.re, -a.im);
    algorithm
    end negate;
  end '-';
end Phasor;

model ConnectorOfOperatorRecord
  operator record Voltage = Phasor(re(unit = "V"), im(unit = "V"));
  connector Input = input Phasor;
  connector VoltageInput = input Voltage;
  connector VoltageOutput = output Phasor(re(unit = "V"), im(unit = "V"));
  block Scale
    Input u;
    Phasor y = 3*u;
  end Scale;
  block Turn
    VoltageInput u(re(start = 1));
    VoltageOutput y = 5*u*Phasor(0, 1);
    Phasor n = -u;
  end Turn;
  Scale scale(u = Phasor(1, 0));
  Turn turn(u = Phasor(1, 0));
  Phasor y = scale.y, z = turn.y, n = turn.n;
end ConnectorOfOperatorRecord;
