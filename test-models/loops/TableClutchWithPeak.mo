//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /loops len 1
//! json: /loops/0/status == "hysteresis"
// The same with a torque at rest that is larger than the sliding one: between them stuck and sliding both fit.
model TableClutchWithPeak
  class Table
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Real values[:, :];
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init2(
        file, name, values, size(values, 1), size(values, 2), columns, size(columns, 1), smoothness, extrapolation, 0);
    end constructor;
    function destructor
      input Table table;
      external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;
  function lookUp
    input Table table;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
  end lookUp;
  parameter Real friction[:, 2] = [0, 0.5];
  parameter Real peak = 1.1;
  parameter Real J1 = 1, J2 = 2;
  parameter Table table = Table("NoName", "NoName", friction, {2}, 1, 2);
  parameter Real mu0 = lookUp(table, 1, 0);
  input Real t1, t2;
  input Real normal;
  Real w1(start = 0), w2(start = 0), tau, sa, a, w, tau0, mu, sign;
  Boolean forward, backward, free;
equation
  J1*der(w1) = t1 - tau;
  J2*der(w2) = tau + t2;
  w = w1 - w2;
  a = der(w1) - der(w2);
  free = normal <= 0;
  tau0 = mu0*normal;
  forward = sa > peak*tau0;
  backward = sa < -peak*tau0;
  sign = if forward then 1 else -1;
  mu = sign*lookUp(table, 1, sign*w);
  a = if free then sa elseif forward then sa - peak*tau0 elseif backward then sa + peak*tau0 else 0;
  tau = if free then 0 elseif forward or backward then mu*normal else sa;
end TableClutchWithPeak;
