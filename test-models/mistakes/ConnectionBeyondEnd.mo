//! run: check --class ConnectionBeyondEnd.Chain
//! exit: 1
//! code: MS2026 line 32
//! snapshot
//! mend: 31:     for i in 1:n - 1 loop
// Wrong: the last element has no successor.
package ConnectionBeyondEnd
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
  equation
    p.v - n.v = 10*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Source
    Pin p, n;
  equation
    p.v = 10;
    n.v = 0;
  end Source;
  model Chain
    parameter Integer n = 4;
    Resistor r[n];
    Source source;
  equation
    connect(source.p, r[1].p);
    connect(source.n, r[n].n);
    for i in 1:n loop
      connect(r[i].n, r[i + 1].p);
    end for;
  end Chain;
end ConnectionBeyondEnd;
