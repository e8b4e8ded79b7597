//! run: check --class InRecord
//! exit: 1
//! code: MS2015 line 10
//! run: check --class InConnector
//! exit: 1
//! code: MS2015 line 13
//! run: check --class GivenFromOutside
// Wrong: `time` is known to models and blocks, not to records and connectors. Whoever uses the record may give it.
record Data
  Real t = time;
end Data;
connector Port
  Real v = time;
  flow Real i;
end Port;
record Plain
  Real t;
end Plain;
model InRecord
  Data data;
end InRecord;
model InConnector
  Port port;
end InConnector;
model GivenFromOutside
  Plain data(t = time);
end GivenFromOutside;
