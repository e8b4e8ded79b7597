//! exit: 1
//! code: MS2015 line 10
//! code: MS2015 line 16
//! code: MS1002 line 21
//! code: MS2005 line 24
//! code: MS2005 line 25
// Wrong: what records, connectors and enumerations cannot declare, and names that are taken.
package DeclarationRules
  record R
    inner Real x = 1;
  end R;
  model HasRecord
    R r;
  end HasRecord;
  expandable connector Bus
    flow Real f;
  end Bus;
  model HasBus
    Bus b;
  end HasBus;
  model Reserved Real Real = 1; end Reserved;
  model Literals
    type Twice = enumeration(
      one, two, one);
    type Attribute = enumeration(start, stop);
    Twice t = Twice.one;
    Attribute a = Attribute.stop;
  end Literals;
end DeclarationRules;
