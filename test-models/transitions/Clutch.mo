//! run: transitions --format json
//! json: /transitions len 2
//! json: /transitions/0/from/g == false
//! json: /transitions/0/to/g == true
//! json: /transitions/0/transient == null
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/t1 == "1"
//! json: /transitions/0/impulsive/der(w1) == "1"
//! json: /transitions/0/jumps len 2
//! json: /transitions/0/undetermined_states len 0
//! json: /transitions/1/jumps len 0
//! json: /transitions/1/impulsive len 0
//! json: /transitions/1/verdict == "determined"
//! run: restart --from g=false --to g=true --at "w1=1,w2=1.5" --format json
//! approx: /right/w1 == 1.3333333333 +- 1e-9
//! approx: /right/w2 == 1.3333333333 +- 1e-9
//! approx: /weights/t1 == 0.3333333333 +- 1e-9
//! run: restart --from g=false --to g=true --at "w1=1,w2=1.5" --set j2=4 --format json
//! approx: /right/w1 == 1.4 +- 1e-9
//! run: transitions --from g=false --to g=true --format text
//! stdout: j1*(w1⁺ - w1⁻) = t1↓
//! stdout: Clutch.mo:
model Clutch "Two shafts: speeds jump to a common one when the clutch engages"
  parameter Real j1 = 1;
  parameter Real j2 = 2;
  Real w1(start = 1);
  Real w2(start = 1.5);
  Real t1;
  Real t2;
  input Boolean g;
equation
  j1*der(w1) = -0.01*w1 + t1;
  j2*der(w2) = -0.02*w2 + t2;
  t1 + t2 = 0;
  0 = if g then w1 - w2 else t1;
end Clutch;
