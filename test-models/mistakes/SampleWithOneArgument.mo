//! exit: 1
//! code: MS2033 line 10
//! snapshot
//! mend: 10:   when sample(0, 0.1) then
model SampleWithOneArgument "Sampled controller"
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0.1) then
    u = -2*x;
  end when;
end SampleWithOneArgument;
