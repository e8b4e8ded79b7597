//! run: check --class ConnectNotConnector
//! exit: 1
//! code: MS2044 line 11
// Wrong: connect is used with plain variables' owners that are no connectors.
model Part
  Real x = time;
end Part;
model ConnectNotConnector
  Part a, b;
equation
  connect(a, b);
end ConnectNotConnector;
