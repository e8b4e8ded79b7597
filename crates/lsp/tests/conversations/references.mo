//- /Parts.mo
package Parts
  connector $1Pin "A pin"
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real $2v = p.v - n.v;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real $0R = 1;
  equation
    v = R * p.i;
    p.i + n.i = 0;
  end Resistor;
  model Slot
    replaceable model $3Law = Resistor;
    Law law;
  end Slot;
end Parts;
//- /User.mo
model User
  import P = Parts.Resistor;
  Parts.Resistor r(R = 2);
  P s(R = r.R);
  Parts.Slot slot(redeclare model Law = P);
  Real sum = $4sum({r.R * k for $5k in 1:3}) + sum({k for k in 1:2});
  Real R = 7;
equation
  r.v = 1;
  for $6i in 1:2 loop
    assert(i > 0, "i");
  end for;
end User;
model Special
  extends Parts.Slot;
  redeclare model $7Law = Parts.Resistor;
end Special;
//- /Closed.mo closed
model Closed
  Parts.Resistor r(R = 3);
end Closed;
//? references $0
//? references $1
//? references $2
//? references $3
//? references $5
//? references $6
//? highlight $0
//? implementation $3
//? rename $0 resistance
//? rename $0 v
//? rename $0 model
//? rename $0 1x
//? rename $0 'Ω'
//? rename $5 n
//? rename $5 R
//? rename $7 Rule
//? rename $1 Terminal
//? prepare-rename $4
//? prepare-rename $0
