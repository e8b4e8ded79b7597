//! run: check --class StreamWithoutFlow
//! exit: 1
//! code: MS3007 line 7
// Wrong: a stream connector without a flow variable.
connector Port
  Real p;
  stream Real h;
end Port;
model Source
  Port port;
equation
  port.p = 1;
  port.h = 2;
end Source;
model StreamWithoutFlow
  Source s;
end StreamWithoutFlow;
