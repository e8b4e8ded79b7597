//- /Modes.mo
package Modes
  partial model Base parameter Real k = 1; Real z = k; end Base;
  partial model Middle extends Base(k = 2); end Middle;
  model Leaf extends Middle; end Leaf;
  model Clutch "Two shafts"
    Real w1(start = 1), w2, t1, t2;
    input Boolean $0engaged;
  equation
    der(w1) $5= t1;
    2 * der(w2) = t2;
    if $1engaged then
      w1 - w2 $2= 0;
      t1 + t2 = 0;
    else
      t1 $3= 0;
      t2 = 0;
    end if;
  end Clutch;
  model Wrong
    Real x;
  equation
    x $4= y;
  end Wrong;
end Modes;
//? hover $0
//? hover $1
//? hover $2
//? hover $3
//? hover $5
//? hover $4
//? hints
//? lenses
//? diagnostics
//? command modeshift.showModes Modes.Clutch
//? command modeshift.showFlatModel Modes.Clutch
//? command modeshift.openReport Modes.Leaf
//? command modeshift.showModes Modes.Wrong
//? command modeshift.other
