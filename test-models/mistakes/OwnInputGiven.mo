//! exit: 1
//! code: MS3006 line 13
//! code: MS4001
//! snapshot
//! mend: 13:
// Wrong: a block determines its own input.
package OwnInputGiven
  block Amplifier
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real k = 1;
  equation
    y = k*u;
    u = 3;
  end Amplifier;
  model Chain
    Amplifier amplifier(k = 2);
    Modelica.Blocks.Sources.Constant source(k = 1);
  equation
    connect(source.y, amplifier.u);
  end Chain;
end OwnInputGiven;
