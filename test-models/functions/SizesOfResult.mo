//! run: check --class Systems.Sampled
//! run: simulate --class Systems.Weighted --format json
//! approx: /final/y == 7 +- 1e-9
// The sizes of a record that a function gives follow from the sizes of its inputs, whether or not its values can be computed
// before the simulation.
package Systems
  record System
    Real A[:, :];
    Real B[size(A, 1), :];
  end System;

  function decompose
    input Real A[:, :];
    output Real LU[size(A, 1), size(A, 2)] = A;
    output Integer pivots[min(size(A, 1), size(A, 2))];
    output Integer info;
    external "FORTRAN 77" some_decomposition(size(A, 1), size(A, 2), LU, size(A, 1), pivots, info);
  end decompose;

  function discretize
    input System c;
    input Real Ts;
    output System d(
      redeclare Real A[size(c.A, 1), size(c.A, 2)],
      redeclare Real B[size(c.B, 1), size(c.B, 2)]);
  protected
    Real LU[size(c.A, 1), size(c.A, 2)];
    Integer pivots[size(c.A, 1)];
  algorithm
    (LU, pivots) := decompose(identity(size(c.A, 1)) - Ts*c.A);
    d.A := LU;
    d.B := Ts*c.B;
  end discretize;

  model Sampled
    parameter System s = System(A = [0, 1; -1, -2], B = [0; 1]);
    parameter System d = discretize(s, 0.1);
    Real x[size(d.A, 1)](each start = 0, each fixed = true);
  equation
    when sample(0, 0.1) then
      x = d.A*pre(x) + d.B*{time};
    end when;
  end Sampled;

  operator record Polynomial
    Real c[:];
    encapsulated operator 'constructor'
      import Systems.Polynomial;
      function fromVector
        input Real c[:];
        output Polynomial p(redeclare Real c[size(c, 1)]);
      algorithm
        p.c := c;
      end fromVector;
    end 'constructor';
    encapsulated function evaluate
      import Systems.Polynomial;
      input Polynomial p;
      input Real x;
      output Real y;
    algorithm
      y := 0;
      for k in 1:size(p.c, 1) loop
        y := y*x + p.c[k];
      end for;
    end evaluate;
  end Polynomial;

  model Weighted
    parameter Real first = 2;
    Polynomial p = Polynomial({first, 4, 1});
    Real y = Polynomial.evaluate(p, time);
  end Weighted;
end Systems;
