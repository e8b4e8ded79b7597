//! run: check --deny warnings
//! exit: 1
//! code: MS3012
//! snapshot
//! mend: 31+:     connect(pipe.b, low.port);
// Wrong: a pipe with the modeller's own connectors ends nowhere, and a reservoir is not connected.
package OwnPipeClosed
  connector Port
    Real p "pressure";
    flow Real q "flow rate";
  end Port;
  model Pipe
    parameter Real k = 1e-8;
    Port a, b;
  equation
    a.q = k*(a.p - b.p);
    b.q = -a.q;
  end Pipe;
  model Reservoir
    parameter Real p = 1e5;
    Port port;
  equation
    port.p = p;
  end Reservoir;
  model Line
    Reservoir high(p = 3e5);
    Reservoir low(p = 1e5);
    Pipe pipe;
  equation
    // Water should flow from high to low.
    connect(high.port, pipe.a);
  end Line;
end OwnPipeClosed;
