//- /Lib/package.mo closed
within;
package $0Lib "A library"
  constant Real $1scale = 2;
end Lib;
//- /Lib/package.order closed
scale
Parts
Machine
//- /Lib/Parts/package.mo closed
within Lib;
package $2Parts
end Parts;
//- /Lib/Parts/package.order closed
Gear
//- /Lib/Parts/Gear.mo
within Lib.Parts;
model $3Gear
  Real x = Lib.scale;
end Gear;
//- /Lib/Machine.mo
within Lib;
model Machine
  Parts.Gear gear;
  Lib.Parts.Gear other;
end Machine;
//? rename $3 Cog
//? rename $2 Pieces
//? rename $0 Library
//? rename $1 factor
//? rename $2 Machine
