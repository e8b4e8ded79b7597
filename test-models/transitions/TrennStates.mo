//! run: transitions --format json
//! exit: 1
//! json: /initialisation/verdict == "undetermined"
//! json: /initialisation/undetermined_states/0 == "v2"
//! json: /initialisation/determined_states contains "i"
//! code: MS5001
model TrennStates "A linear DAE whose impulses need a change of the state basis (RR-9603, F.1)"
  input Real u;
  Real v1;
  Real v2;
  Real i;
  Real vr;
equation
  der(v1) = i;
  der(v2) = i - vr;
  der(i) = vr;
  v1 + u = 0;
end TrennStates;
