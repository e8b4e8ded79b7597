//! run: simulate --format json
//! json: /completed == true
//! approx: /initial/i1 == 3 +- 1e-5
//! approx: /final/i1 == 3.454545455 +- 1e-5
// Three inductors at one node: two currents are given, the third one follows.
model InductorsAtANode
  Real i1, i2(start=1,fixed=true), i3(start=2,fixed=true), u;
equation
  // L1=1: 1 - u = der(i1); u = 2 der(i2); u=3 der(i3):  der(i1)=u(1/2+1/3)=5/6u -> u=6/11, der(i1)=5/11
  der(i1) = 1 - u; 2*der(i2) = u; 3*der(i3) = u; i1 = i2 + i3;
end InductorsAtANode;
