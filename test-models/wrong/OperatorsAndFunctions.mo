//! exit: 1
//! code: MS2021 line 35
//! code: MS2021 line 40
//! code: MS2023 line 53
//! code: MS2022 line 56
//! code: MS2034 line 59
//! code: MS2031 line 62
//! code: MS2029 line 71
//! code: MS2032 line 76
// Wrong: calls that could mean two things, or nothing.
package OperatorsAndFunctions
  operator record Money
    Real amount;
    encapsulated operator '+'
      import OperatorsAndFunctions.Money;
      function left
        input Money m;
        input Real r;
        output Money sum;
      algorithm
        sum.amount := m.amount + r;
      end left;
      function other
        input Money m;
        input Real r;
        output Money sum;
      algorithm
        sum.amount := r;
      end other;
    end '+';
  end Money;
  model Ambiguous
    Money a(amount = time), b;
  equation
    b = a + 1.0;
  end Ambiguous;
  model Power
    Real a[2, 2] = {{time, 1}, {0, 1}};
    Real b[2, 2];
  equation b = a ^ (-1);
  end Power;
  partial function Law input Real u; output Real y; end Law;
  function apply
    input Law law;
    output Real y;
  algorithm
    y := law(1.0);
  end apply;
  function count
    input Integer n;
    output Integer m = n;
  algorithm end count;
  model NotThatFunction Real x = apply(count); end NotThatFunction;
  model OptionsByName
    String s;
  equation s = String(1, 3);
  end OptionsByName;
  model NotACall
    Real x = pure(1.0);
  end NotACall;
  function outside input Real u; output Real y; external "C" y = f(u); end outside;
  function both extends outside; algorithm
    y := u;
  end both;
  model Both
    Real x = both(time);
  end Both;
  model Endless
    Real
    x[3] =
      1.0:1e-300:3.0;
  end Endless;
  model Elements
    Real x[2];
  equation
    when time > 1 then
      x[1] = 0;
    elsewhen time > 2 then
      x[2] = 0;
    end when;
  end Elements;
end OperatorsAndFunctions;
