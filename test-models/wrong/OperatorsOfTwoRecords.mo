//! run: check --class OperatorsOfTwoRecords
//! exit: 1
//! code: MS2021 line 52
//! run: check --class Distinct
// Wrong: two records have an operator for the same operands, and nothing tells which one is meant.
operator record Length
  Real value;
  encapsulated operator '+'
    import Length;
    import Width;
    function same
      input Length a;
      input Length b;
      output Length c;
    algorithm
      c.value := a.value + b.value;
    end same;
    function mixed
      input Length a;
      input Width b;
      output Length c;
    algorithm
      c.value := a.value + b.value;
    end mixed;
  end '+';
end Length;
operator record Width
  Real value;
  encapsulated operator '+'
    import Length;
    import Width;
    function mixed
      input Length a;
      input Width b;
      output Width c;
    algorithm
      c.value := a.value + b.value;
    end mixed;
  end '+';
end Width;
model Distinct
  Length a = Length(1);
  Length b = a + Length(2);
end Distinct;
model OperatorsOfTwoRecords
  Length a, c;
  Width b;
equation
  a = Length(1);
  b = Width(2);

  c = a + b;
end OperatorsOfTwoRecords;
