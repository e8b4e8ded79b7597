//! exit: 1
//! code: MS3010 line 6
//! snapshot
//! mend: 8:     flow Real Q;
model ConnectorWithoutFlow "Two heat nodes"
  connector Port
    Real T;
    Real Q;
  end Port;
  model Body
    parameter Real T0 = 300;
    Port port;
    Real T(start = T0, fixed = true);
  equation
    port.T = T;
    10*der(T) = port.Q;
  end Body;
  model Bridge
    Port a;
    Port b;
  equation
    a.Q = 2*(a.T - b.T);
    a.Q + b.Q = 0;
  end Bridge;
  Body warm(T0 = 350);
  Body cold;
  Bridge bridge;
equation
  connect(warm.port, bridge.a);
  connect(bridge.b, cold.port);
end ConnectorWithoutFlow;
