//! run: check --class InputsOnly.Test
//! exit: 1
//! code: MS4001 line 20
//! snapshot
//! mend: 20:     connect(a.u, b.u); a.u = time;
// Wrong: two inputs are connected, and no output is connected to them.
package InputsOnly
  connector In = input Real;
  block Lag
    In u;
    Real x(start = 0, fixed = true);
  equation
    der(x) = u - x;
  end Lag;
  model Test
    Lag a;
    Lag b;
  equation
    // No source.
    connect(a.u, b.u);
  end Test;
end InputsOnly;
