//! run: flatten --class ImportedLiterals
//! stdout: parameter Boolean b = k == Kinds.Kind.soft;
//! run: flatten --class Sized
//! stdout: final parameter Real table.v[2](fixed = false);
// A literal of an enumeration can be imported like any other element. A parameter in the record that a function gives is
// known from its declaration, even if the function is written in another language.
package Kinds
  type Kind = enumeration(hard, soft);
end Kinds;
model ImportedLiterals
  import Kinds.Kind.hard;
  import Kinds.Kind.*;
  parameter Kinds.Kind k = hard;
  parameter Boolean b = k == soft;
end ImportedLiterals;
record Table
  parameter Integer n;
  Real v[n];
end Table;
function load
  input Integer rows;
  output Table table(n = rows);
external "C" loadTable(rows, table);
end load;
model Sized
  final parameter Table table = load(2);
  Real x[table.n] = table.v*time;
end Sized;
