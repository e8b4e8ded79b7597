//! run: check
//! run: transitions --format json
//! json: /transitions len 2
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive len 0
//! json: /transitions/1/verdict == "determined"
//! run: simulate --stop-time 1 --format json
//! json: /completed == true
// A wave that begins at the time 0, and only then: it meets what was before at its start time, whatever that is. The number 0 is
// also its phase, which is what lets it begin without a step. `sine` is the predefined function by another name.
model SineFromZero
  function sine
    input Real u;
    output Real y;
  algorithm
    y := sin(u);
  end sine;
  parameter Real startTime = 0;
  parameter Real phase = 0;
  parameter Real f = 1;
  parameter Real A = 2;
  Real y "the position of a table";
  Real w "its speed, which steps";
  Real q(start = 0, fixed = true);
equation
  y = if time < startTime then 0 else A*sine(2*3.14159*f*(time - startTime) + phase);
  der(y) = w;
  der(q) = sin(w);
end SineFromZero;
