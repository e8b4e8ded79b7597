//! run: flatten --class OperatorRecord
// An operator record with constructors and overloaded operators, scalar and in arrays: dual numbers.
operator record Dual "value and derivative"
  Real v;
  Real d;
  encapsulated operator 'constructor'
    import Dual;
    function fromReal
      input Real v;
      input Real d = 0;
      output Dual r(v = v, d = d);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import Dual;
    input Dual a, b;
    output Dual c;
  algorithm
    c := Dual(a.v + b.v, a.d + b.d);
  end '+';
  encapsulated operator function '*'
    import Dual;
    input Dual a, b;
    output Dual c;
  algorithm
    c := Dual(a.v*b.v, a.v*b.d + a.d*b.v);
  end '*';
  encapsulated operator '-'
    import Dual;
    function subtract
      input Dual a, b;
      output Dual c;
    algorithm
      c := Dual(a.v - b.v, a.d - b.d);
    end subtract;
    function negate
      input Dual a;
      output Dual c;
    algorithm
      c := Dual(-a.v, -a.d);
    end negate;
  end '-';
  encapsulated operator '0'
    import Dual;
    function zero
      output Dual z;
    algorithm
      z := Dual(0, 0);
    end zero;
  end '0';
end Dual;

model OperatorRecord
  parameter Dual one = Dual(1);
  Dual x = Dual(time, 1);
  Dual y = x*x - 2*x + one;
  Dual n = -y;
  Dual s;
equation
  s = x + 3;
end OperatorRecord;
