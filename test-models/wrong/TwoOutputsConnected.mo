//! run: check --class TwoOutputsConnected
//! exit: 1
//! code: MS3009 line 12
// Wrong: two outputs are connected to each other inside one model.
connector RealOutput = output Real;
block Const
  RealOutput y = 1;
end Const;
model TwoOutputsConnected
  Const a, b;
equation
  connect(a.y, b.y);
end TwoOutputsConnected;
