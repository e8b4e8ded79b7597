//! run: simulate --class ConstantRecordsOfAPackage.Test --format json
//! json: /completed == true
//! approx: /final/mass == 46 +- 1e-12
//! approx: /final/slope == 2.5 +- 1e-12
// A function reads a field of a constant array of records of its package, with a subscript that is known only when it
// runs.
package ConstantRecordsOfAPackage
  record Substance
    String name;
    Real molarMass;
    Real coefficients[2];
  end Substance;

  constant Substance substances[:] = {
    Substance(name = "water", molarMass = 18, coefficients = {1, 2}),
    Substance(name = "nitrogen", molarMass = 28, coefficients = {3, 2.5})};

  function total
    input Integer n;
    output Real mass = 0;
  algorithm
    for i in 1:n loop
      assert(substances[i].molarMass > 0, "no mass is known for " + substances[i].name);
      mass := mass + substances[i].molarMass;
    end for;
  end total;

  function coefficient
    input Integer i;
    input Integer k;
    output Real c;
  algorithm
    for step in 1:1 loop
      c := substances[i].coefficients[k];
    end for;
  end coefficient;

  model Test
    Real mass = total(integer(2 + time));
    Real slope = coefficient(integer(2 + time), 2);
    annotation(experiment(StopTime = 0.5));
  end Test;
end ConstantRecordsOfAPackage;
