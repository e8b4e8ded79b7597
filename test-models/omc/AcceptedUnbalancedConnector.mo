//! run: flatten --class AcceptedUnbalancedConnector
// Accepted with a warning, though the specification forbids it: a connector with one potential and two flows.
connector Pin
  Real v;
  flow Real i;
  flow Real q;
end Pin;
model Source
  Pin p;
equation
  p.v = 1;
end Source;
model AcceptedUnbalancedConnector
  Source a;
end AcceptedUnbalancedConnector;
