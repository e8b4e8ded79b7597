//! run: simulate --class SettledResult.Test --stop-time 1 --format json
//! json: /completed == true
//! approx: /final/v == 0.8414709848 +- 1e-9
//! approx: /final/i == 0.001683 +- 1e-6
//! run: simulate --class SettledResult.Charged --stop-time 1 --format json
//! json: /completed == true
//! approx: /final/v == 0.5 +- 1e-5
// A device whose capacitance is zero by a parameter, as its function says for any voltage: its voltage is no state, and
// that of the source is what it is. `Charged`:
// a capacitance that is 1 whatever the voltage, charged by a current of 0.5.
package SettledResult
  record Data
    Real c0;
    Real g;
  end Data;

  record State
    Real i;
    Real c;
  end State;

  function prepared
    input Real c0;
    output Data data;
  algorithm
    data.c0 := 2*c0;
    data.g := 0.002;
    annotation(Inline = false);
  end prepared;

  function capacitance
    input Real c0;
    input Real v;
    output Real c;
  algorithm
    if v < 0.3 then
      c := c0/sqrt(1 - v);
    else
      c := c0*(1 + v);
    end if;
  end capacitance;

  function device
    input Data data;
    input Real v;
    output State state;
  algorithm
    state.i := if v > -1 then data.g*v else 0;
    state.c := capacitance(data.c0, v);
    annotation(Inline = false);
  end device;

  model Test
    parameter Real c0 = 0;
    final parameter Data data = prepared(c0);
    State state = device(data, v);
    Real v;
    Real i;
  equation
    i = state.i + state.c*der(v);
    v = sin(time);
  end Test;

  function constantDevice
    input Real c;
    input Real v;
    output Real i;
    output Real capacitance;
  algorithm
    i := 0.002*v;
    capacitance := if v > 0 then c else 1*c;
    annotation(Inline = false);
  end constantDevice;

  model Charged
    Real i;
    Real c;
    Real v(start = 0, fixed = true);
  equation
    (i, c) = constantDevice(1, v);
    0.5 + i = i + c*der(v);
  end Charged;
end SettledResult;
