//! run: check --class PortsNotCounted.Test
//! exit: 1
//! code: MS2026 line 22
//! snapshot
//! mend: 20:     Source source(nPorts = 1);
// Wrong: a source has as many ports as its parameter says, and that is none.
package PortsNotCounted
  connector Port
    Real p;
    flow Real m;
  end Port;
  model Source
    parameter Integer nPorts = 0;
    Port ports[nPorts];
  equation
    ports.p = fill(1, nPorts);
  end Source;
  model Test
    Port sink;
    Source source;
  equation
    connect(source.ports[1], sink);
  end Test;
end PortsNotCounted;
