//! run: check --class ConstructorWrong
//! exit: 1
//! code: MS2031 line 12
//! run: check --class ConstructorRight
// The constructor of an operator record gives that record.
package Money
  operator record Coins
    Real amount;
    encapsulated operator 'constructor'
      function fromReal
        input Real r;
        output Real amount = r;
      end fromReal;
    end 'constructor';
  end Coins;
  operator record Notes
    Real amount;
    encapsulated operator 'constructor'
      function fromReal
        import Money.Notes;
        input Real r;
        output Notes notes(amount = r);
      end fromReal;
    end 'constructor';
  end Notes;
end Money;
model ConstructorWrong
  Money.Coins c;
equation
  c = Money.Coins(time);
end ConstructorWrong;
model ConstructorRight
  Money.Notes c;
equation
  c = Money.Notes(time);
end ConstructorRight;
