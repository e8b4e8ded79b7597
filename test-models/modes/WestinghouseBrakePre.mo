//! run: modes --format json --class WestinghouseBrakePre
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes/0/index == 1
//! json: /classes/1/index == 1
//! code: MS4004
function phi
  input Real p;
  output Real f;
algorithm
  f := sign(p)*sqrt(abs(p));
end phi;


// RR-9334, figure 11: index 1 in both modes, with different equations to differentiate.
model WestinghouseBrakePre
  parameter Real F1 = 1;
  parameter Real F2 = 0.1;
  parameter Real rho = 1.2;
  parameter Real V = 1;
  parameter Real P0 = 1;
  parameter Real S = 0.1;
  parameter Real K = 10;
  parameter Real L = 1;
  input Real pb "control pressure";
  Real pbn;
  Real pr(start = 1) "railcar pressure";
  Real pt(start = 1) "reservoir pressure";
  Real fb;
  Real fv "flow through the valve";
  Real fl;
  Real fcl;
  Real fch;
  Real ft;
  Real b "brake force";
  Real x(start = 0) "piston";
  Real s;
  Boolean open, reached(start = true, fixed = true);
equation
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
  reached = s <= 0; open = pre(reached);
  if open then
    0 = pr - pt;
    0 = fv + s;
  else
    0 = fv;
    0 = pr - pt - s;
  end if;
end WestinghouseBrakePre;
