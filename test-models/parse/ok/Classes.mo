//! run: parse
within Some.Library;
encapsulated package Classes "every kind of class, every kind of specifier"
  class Plain
  end Plain;
  partial model Base "a " + "long " + "description"
    Real x;
  end Base;
  record Point
    Real x, y;
  end Point;
  block Gain
    input Real u;
    output Real y;
  end Gain;
  connector Pin
    Real v;
    flow Real i;
    stream Real h;
  end Pin;
  expandable connector Bus
  end Bus;
  type Angle = Real(unit = "rad", final quantity = "Angle") "an angle" annotation(Evaluate = true);
  type Vector = Real[3];
  type Color = enumeration(red "warm", green, blue annotation(x = 1)) "a colour";
  type Any = enumeration(:);
  connector RealInput = input Real;
  connector Flange = flow discrete output Real[:](each start = 0);
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  pure function g = f;
  impure function h = f(u = 1);
  function df = der(f, u) "a derivative";
  function ddf = der(Classes.f, u, u);
  operator record Complex
    Real re, im;
    encapsulated operator 'constructor'
      function fromReal
        input Real re;
        output Complex result(re = re, im = 0);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '+'
      input Complex a;
      output Complex c;
    algorithm
      c := a;
    end '+';
  end Complex;
  model Derived
    extends Base(x(start = 1), break y, break connect(a.b[1], c)) annotation(Icon());
  end Derived;
  package Inner
    replaceable model M = Base constrainedby Base(x = 1) "constrained";
    replaceable package P
    end P;
    inner outer model Both = Base;
    redeclare final model extends Wide(x = 2) "extended"
      Real z;
    end Wide;
    redeclare replaceable function k = f;
  end Inner;
  annotation(version = "1.0");
end Classes;

final model Second
end Second;
