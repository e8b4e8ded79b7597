//! exit: 0
//! code: MS4008 line 33
//! snapshot
//! mend: 40+:     connect(vessel.a, pump.a);
// Wrong: nothing fixes a pressure in a closed loop of the user's own connectors.
package LoopWithoutPressure
  connector Port
    Real p;
    flow Real q;
  end Port;
  model Pipe
    Port a;
    Port b;
    parameter Real r = 2;
  equation
    a.q + b.q = 0;
    a.p - b.p = r*a.q;
  end Pipe;
  model Pump
    Port a;
    Port b;
    parameter Real lift = 6;
  equation
    a.q + b.q = 0;
    b.p - a.p = lift;
  end Pump;
  model Vessel
    Port a;
  equation
    a.p = 1;
  end Vessel;
  model Plant
    Pump pump;
    Pipe supply;
    Pipe back(r = 3);
    Vessel vessel;
  equation
    connect(pump.b, supply.a);
    connect(supply.b, back.a);
    connect(back.b, pump.a);
  end Plant;
end LoopWithoutPressure;
