//! run: check --class EnumUnknownLiteral
//! exit: 1
//! code: MS2004 line 7
// Wrong: a literal the enumeration does not have.
type Color = enumeration(red, green);
model EnumUnknownLiteral
  parameter Color c = Color.blue;
end EnumUnknownLiteral;
