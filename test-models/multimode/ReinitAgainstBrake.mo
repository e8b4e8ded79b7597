//! run: transitions --from braked=false --to braked=true --format json
//! exit: 1
//! code: MS5003
//! json: /transitions/0/verdict == "inconsistent"
// A reset to 5 at the instant at which a brake asks for 0.
model ReinitAgainstBrake
  Real w(start = 1), t;
  input Boolean braked;
equation
  der(w) = 1 - t;
  0 = if braked then w else t;
  when braked then
    reinit(w, 5);
  end when;
end ReinitAgainstBrake;
