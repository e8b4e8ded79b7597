//! run: check
//! code: MS5002
//! stderr: differ only in arguments of `PropertyThatMayMeet.density`
//! run: transitions --format json
//! json: /initialisation/diagnostics/0/severity == "warning"
//! code: MS5002
//! json: /transitions/0/diagnostics/0/severity == "warning"
//! run: simulate --stop-time 2 --format json
// A property whose pieces meet where the phase changes, as only the author of the function knows: what would become of the flow if
// they did not meet is a warning, and the model runs.
model PropertyThatMayMeet
  function density
    input Real h;
    input Integer phase;
    output Real d;
  protected
    Real excess;
  algorithm
    excess := 0;
    for i in 2:phase loop
      excess := excess + (h - 1);
    end for;
    d := 3 - h + excess/2;
  end density;
  Real h(start = 0, fixed = true) "enthalpy";
  Integer phase;
  Real d "density of a volume of 1";
  Real w "flow into it";
  Real q(start = 0, fixed = true) "what the flow turns";
equation
  der(h) = 1;
  phase = if h < 1 then 1 else 2;
  d = density(h, phase);
  der(d) = w;
  der(q) = sin(w);
end PropertyThatMayMeet;
