//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == "18446744073709551616"
//! json: /loops len 1
//! json: /loops/0/status == "unique"
//! json: /loops/0/mode_variables len 64
//! run: check
// One loop of 64 conditions: 2^64 valuations, decided by one elimination.
model StarOfDiodes "64 ideal diodes with resistance and conductance meet in one node"
  parameter Integer n = 64;
  parameter Real Ron = 1e-3;
  parameter Real Goff = 1e-5;
  input Real u[n] "Potentials at the anodes";
  Real i[n] "Currents into the node";
  Real s[n] "Along the characteristic: voltage while blocking, current while conducting";
  Boolean off[n];
  Real v "Potential of the node";
equation
  for k in 1:n loop
    off[k] = s[k] < 0;
    u[k] - v = s[k]*(if off[k] then 1 else Ron);
    i[k] = s[k]*(if off[k] then Goff else 1);
  end for;
  sum(i) = v/10;
end StarOfDiodes;
