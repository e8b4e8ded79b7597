//! run: check --class Settings.Right
//! run: check --class Settings.Wrong
//! exit: 1
//! code: MS2025 line 30
// A record all of whose fields are parameters changes no more than they do, so a parameter can take it as its value.
package Settings
  record Gains
    parameter Real k = 2;
    final parameter Real half = k/2;
  end Gains;

  record State
    parameter Real k = 2;
    Real x;
  end State;

  model Amplifier
    parameter Gains gains;
    Real y = gains.k*time + gains.half;
  end Amplifier;

  model Right
    Gains gains(k = 3);
    Amplifier amplifier(gains = gains), before(gains = later);
    Gains later(k = 4);
  end Right;

  model Wrong
    State state(x = time);
    parameter State copy = state;
  end Wrong;
end Settings;
