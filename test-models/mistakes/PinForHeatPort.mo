//! run: check --class PinForHeatPort.Test
//! exit: 1
//! code: MS3002 line 44
//! snapshot
//! mend: 44:     connect(heater.heatPort, mass.port);
// Wrong: the heater has another connector, which fits.
package PinForHeatPort
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector HeatPort
    Real T;
    flow Real Q;
  end HeatPort;
  model Heater
    Pin p, n;
    HeatPort heatPort;
  equation
    p.i + n.i = 0;
    p.v - n.v = 100*p.i;
    heatPort.Q = -(p.v - n.v)*p.i;
  end Heater;
  model Mass
    HeatPort port;
    Real T(start = 20, fixed = true);
  equation
    T = port.T;
    der(T) = port.Q;
  end Mass;
  model Supply
    Pin p, n;
  equation
    p.v = 230;
    n.v = 0;
  end Supply;
  model Test
    Supply supply;
    Heater heater;
    Mass mass;
  equation
    connect(supply.p, heater.p);
    connect(supply.n, heater.n);
    connect(heater.n, mass.port);
  end Test;
end PinForHeatPort;
