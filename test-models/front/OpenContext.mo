//! run: check
// What only its use can settle is no mistake of a package: values of constants, packages and components that are replaced,
// an `inner`, sizes, parameters of a block that make no sense by themselves, and equations that fit together with those around.
package OpenContext
  connector Signal = input Real;
  connector Result = output Real;

  partial package Substance
    constant Real density;
    constant Integer count;
    partial model Properties
      Real p, T;
    end Properties;
    model Mixture
      Real share[count];
      Real rho = density;
    equation
      share = fill(1/count, count);
    end Mixture;
  end Substance;

  package Named
    extends Substance(count = 2);
    model Pure
      Real rho = density*2;
    end Pure;
  end Named;

  model Volume
    replaceable package Medium = Substance;
    Medium.Properties inside;
    Real m = 2;
  end Volume;

  block Seeded
    outer Real seed;
    Result y;
  equation
    y = seed + time;
  end Seeded;

  block Spectrum
    parameter Real highest;
    parameter Integer points = integer(2*highest) + 1;
    Signal u;
    Real buffer[points] = fill(u, points);
  end Spectrum;

  package Tabulated
    constant Real table[:, 2];
    constant Boolean known = size(table, 1) > 0;
    model Lookup
      Real y = if known then table[1, 2] else 0;
    end Lookup;
  end Tabulated;

  block Table
    parameter Real values[:, 2] = fill(0, 0, 2);
    Signal u;
    Result y;
  equation
    assert(size(values, 1) > 0, "no values");
    y = u;
  end Table;

  block Reversed
    Signal u1, u2;
    Result y1, y2;
  equation
    u1 = u2;
    y1 = y2;
    annotation(defaultConnectionStructurallyInconsistent = true);
  end Reversed;

  model Adjusted
    parameter Boolean fixedRatio = true;
    parameter Real ratio = 0.5;
    Signal given if not fixedRatio;
    Real y = 3*inside;
  protected
    Signal inside;
  equation
    connect(given, inside);
    if fixedRatio then
      inside = ratio;
    end if;
  end Adjusted;
end OpenContext;
