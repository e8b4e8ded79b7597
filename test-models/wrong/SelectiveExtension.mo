//! exit: 1
//! code: MS2006 line 19
//! code: MS2006 line 22
//! code: MS2006 line 26
// Wrong: `break` takes away components and connections that are inherited, nothing else.
package SelectiveExtension
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Base
    model Inside end Inside;
    Pin p, n, m;
  equation
    connect(p, n);
    connect(n, m);
  end Base;
  model ClassTakenAway
    extends Base(break Inside);
  end ClassTakenAway;
  model NoSuchConnection
    extends Base(break connect(p, m));
  end NoSuchConnection;
  model AttributeTakenAway
    type Unstarted
      extends Real(break start);
    end Unstarted;
    Unstarted x = time;
  end AttributeTakenAway;
end SelectiveExtension;
