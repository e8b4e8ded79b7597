//! run: check --class ThroughComponent
//! exit: 1
//! code: MS2042 line 37
//! run: check --class ThroughOperator
//! exit: 1
//! code: MS2042 line 41
//! run: check --class ExtendsAround
//! exit: 1
//! code: MS2015 line 44
//! run: check --class Right
// Wrong: operators are named through their record, not through a component; a class around an operator record is not extended.
package Around
  operator record Number
    Real v;
    encapsulated operator function '+'
      import Around.Number;
      input Number a;
      input Number b;
      output Number c;
    algorithm
      c := Number(a.v + b.v);
    end '+';
    encapsulated operator '-'
      import Around.Number;
      function minus
        input Number a;
        output Number c;
      algorithm
        c := Number(-a.v);
      end minus;
    end '-';
  end Number;
  constant Real one = 1;
end Around;
model ThroughComponent
  Around.Number a(v = 1), b(v = 2);
  Around.Number c = a.'+'(a, b);
end ThroughComponent;
model ThroughOperator
  Around.Number a(v = 1);
  Around.Number c = a.'-'.minus(a);
end ThroughOperator;
package Extended
  extends Around;
end Extended;
model ExtendsAround
  Real x = Extended.one;
end ExtendsAround;
model Right
  Around.Number a(v = 1), b(v = 2);
  Around.Number c = a + b;
end Right;
