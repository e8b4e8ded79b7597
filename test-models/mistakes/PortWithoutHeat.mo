//! run: check --class PortWithoutHeat.Test --deny warnings
//! exit: 1
//! code: MS3012 line 27
//! snapshot
//! mend: 25:     Heater heater(useHeatPort = true);
// Wrong: the heater has a heat port only where a parameter asks for it.
package PortWithoutHeat
  connector HeatPort
    Real T;
    flow Real Q;
  end HeatPort;
  model Mass
    HeatPort port;
    Real T(start = 20, fixed = true);
  equation
    T = port.T;
    der(T) = port.Q;
  end Mass;
  model Heater
    parameter Boolean useHeatPort = false;
    HeatPort heatPort(Q = -100) if useHeatPort;
  end Heater;
  model Test
    Mass mass;
    Heater heater;
  equation
    connect(heater.heatPort, mass.port);
  end Test;
end PortWithoutHeat;
