//! run: check --class ThermostatBehindConnectors.Freezer
//! code: MS4018 line 25
//! snapshot
// Wrong: one threshold switches on and off.
package ThermostatBehindConnectors
  connector Port
    Real T;
    flow Real Q;
  end Port;
  model Content
    Port port;
    Real T(start = 290, fixed = true);
  equation
    T = port.T;
    50*der(T) = port.Q;
  end Content;
  model Wall
    Port port;
  equation
    port.Q = 0.9*(port.T - 295);
  end Wall;
  model Cooler
    Port port;
    parameter Real limit = 280;
    Boolean on = port.T > limit;
  equation
    port.Q = if on then 40 else 0;
  end Cooler;
  model Freezer
    Content content;
    Wall wall;
    Cooler cooler;
  equation
    connect(content.port, wall.port);
    connect(content.port, cooler.port);
  end Freezer;
end ThermostatBehindConnectors;
