//! run: check --class TwoOutputsConnected
//! exit: 1
//! code: MS4001 line 7
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
