//! run: check --class ExternalObjectContents
//! exit: 1
//! code: MS2015 line 12
//! code: MS2015 line 19
//! code: MS2015 line 24
// Wrong: an external object is a constructor and a destructor, neither replaceable, and nothing else.
model ExternalObjectContents
  class Table
    extends ExternalObject;
    function constructor
      output Table table;
      external "C" table = open(); end constructor; Real size;
    function destructor
      input Table table;
      external "C" close(table);
    end destructor;
  end Table;

  class NoEnd
    extends ExternalObject; function constructor output NoEnd e; external "C" e = begin(); end constructor;
  end NoEnd;
  class Exchanged
    extends ExternalObject; function destructor input Exchanged e; external "C" close(e); end destructor;
    replaceable function constructor output Exchanged e; external "C" e = begin(); end constructor;
  end Exchanged;
  Real x = time;
end ExternalObjectContents;
