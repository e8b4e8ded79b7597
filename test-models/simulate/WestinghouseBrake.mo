//! run: simulate --class WestinghouseBrake --format json
//! json: /completed == true
//! approx: /events/0/time == 1.78948654421 +- 1e-6
//! approx: /events/1/time == 6.61836514068 +- 1e-6
//! approx: /final/pr == 0.845385730109 +- 1e-6
//! approx: /final/pt == 1.23403505406 +- 1e-6
//! approx: /final/x == 0.00388649323951 +- 1e-6
// RR-9334, figure 11: the pressure in the brake pipe goes up and down, the valve to the reservoir opens and shuts.
// In the last equation s has the sign with which the valve stays shut while the reservoir has the higher pressure.
function phi
  input Real p;
  output Real f;
algorithm
  f := sign(p)*sqrt(abs(p));
end phi;

model WestinghouseBrake
  parameter Real F1 = 1;
  parameter Real F2 = 0.1;
  parameter Real rho = 1.2;
  parameter Real V = 1;
  parameter Real P0 = 1;
  parameter Real S = 0.1;
  parameter Real K = 10;
  parameter Real L = 1;
  Real pb "control pressure";
  Real pbn;
  Real pr(start = 1, fixed = true) "railcar pressure";
  Real pt(start = 1, fixed = true) "reservoir pressure";
  Real fb;
  Real fv "flow through the valve";
  Real fl;
  Real fcl;
  Real fch;
  Real ft;
  Real b "brake force";
  Real x "piston";
  Real s;
  Boolean open, reached(start = true, fixed = true);
equation
  pb = 1 + 0.3*sin(time);
  0 = fb - fv - fcl + fl;
  0 = fv - fch - fl - ft;
  0 = fb - F1*phi(pb - pr);
  0 = F1*phi(pbn - pr);
  0 = fl - F2*phi(pt - pr);
  0 = ft - rho*V/P0*der(pt);
  0 = rho*S*(der(x)*pr + (x - L)*der(pr)) + P0*fcl;
  0 = rho*S*(der(x)*S*pt + x*der(pt)) - P0*fch;
  0 = S*(pt - pr) - b;
  0 = K*x - b;
  reached = s <= 0;
  open = pre(reached);
  if open then
    0 = pr - pt;
    0 = fv + s;
  else
    0 = fv;
    0 = pt - pr - s;
  end if;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10));
end WestinghouseBrake;
