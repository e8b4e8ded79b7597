//! run: simulate --class SumOfOperatorRecords --stop-time 1 --format json
//! approx: /final/byHand == 111 +- 1e-9
// The sum of operator records is made with their own addition, which here counts how often it was used: 1 + 2 + 3 and
// two additions of 50, and time at the end.
operator record Counted
  Real value;
  encapsulated operator 'constructor'
    function fromReal
      import Counted;
      input Real value;
      output Counted result(value = value);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import Counted;
    input Counted a;
    input Counted b;
    output Counted c;
  algorithm
    c := Counted(a.value + b.value + 50);
  end '+';
  encapsulated operator function '0'
    import Counted;
    output Counted c;
  algorithm
    c := Counted(0);
  end '0';
end Counted;
model SumOfOperatorRecords
  Counted a[3] = {Counted(time), Counted(2), Counted(3)};
  Counted whole = sum(a);
  Counted each_ = sum(a[i] for i in 1:3);
  Real byHand = (whole.value + each_.value)/2 + 5;
end SumOfOperatorRecords;
