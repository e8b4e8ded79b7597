//! run: flatten --class StateByParameter
//! stdout: final parameter Boolean fast.dynamic = false
//! stdout: fast.x = fast.u
//! stdout: der(slow.x) + slow.x = slow.u
// A parameter that decides whether a variable is differentiated decides the structure of the model: it is settled before the run.
model StateByParameter
  model Lag
    parameter Boolean dynamic = true;
    Real u = sin(time);
    Real x(start = 0);
  equation
    (if dynamic then der(x) else 0) + x = u;
  end Lag;
  Lag slow;
  Lag fast(dynamic = false);
end StateByParameter;
