//! exit: 1
//! code: MS2045 line 12
//! code: MS2045 line 15
//! code: MS2045 line 18
//! code: MS2045 line 26
// Wrong: prefixes on components that cannot have them.
package PrefixRules
  model M
    Real x = time;
  end M;
  model GivenModel
    input M m;
  end GivenModel;
  model StreamHere
    stream Real s = time;
  end StreamHere;
  connector Signal
    input Real u;
  end Signal;
  model InputOfOutput
    output Signal s;
  end InputOfOutput;
  model Counted
    connector C
      Real e;
      flow Integer n;
    end C;
    C c;
  equation
    c.e = time;
  end Counted;
end PrefixRules;
