//! part: of RulesOfLibraries
package OldHabits
  connector Port
    Real level;
    Real temperature;
    flow Real q;
  end Port;
  function outflow
    input Real level;
    output Real q;
    Real root;
  algorithm
    root := sqrt(level);
    q := 2*root;
  end outflow;
  model Tank
    parameter Boolean measured = true;
    Port port;
    Real h(start = 1, fixed = true);
    Real shown = h if measured;
    Real difference = shown - 1;
  equation
    port.level = h;
    port.temperature = 20;
    der(h) = port.q - outflow(max(h, 0));
  end Tank;
end OldHabits;
