//! run: simulate --format json
//! json: /completed == true
//! approx: /final/v == 5.877903354729482 +- 1e-5
//! approx: /final/i == -5.083180487282988 +- 1e-2
//! approx: /maximum/v == 10 +- 1e-3
//! run: simulate --method radau5 --format json
//! approx: /final/v == 5.877903354729482 +- 1e-5
//! approx: /final/i == -5.083180487282988 +- 1e-1
//! approx: /maximum/v == 10 +- 1e-3
//! run: simulate --method bdf --format json
//! json: /solver == "bdf"
//! approx: /final/v == 5.877903354729482 +- 1e-5
//! approx: /final/i == -5.083180487282988 +- 1e-2
//! approx: /maximum/v == 10 +- 1e-3
model SmoothedSupply "A capacitor at a supply of almost no resistance: what is forced through a stiff part"
  parameter Real c = 2e-3, r = 1e-5, f = 50;
  constant Real pi = 3.141592653589793;
  Real v(start = 0, fixed = true), i;
equation
  c*der(v) = i;
  r*i = 10*sin(2*pi*f*time) - v;
  annotation(experiment(StopTime = 0.508, Interval = 0.0001));
end SmoothedSupply;
