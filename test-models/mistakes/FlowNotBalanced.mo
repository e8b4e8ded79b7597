//! run: check --class FlowNotBalanced.Store
//! exit: 1
//! code: MS3006 line 12
//! snapshot
//! mend: 19+:     p.i + n.i = 0;
// Wrong: what flows in does not flow out.
package FlowNotBalanced
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Store
    parameter Real C = 2;
    Pin p;
    Pin n;
    Real v(start = 0, fixed = true);
  equation
    v = p.v - n.v;
    C*der(v) = p.i;
  end Store;
end FlowNotBalanced;
