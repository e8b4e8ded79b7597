//! run: flatten --class SizesOfResults
//! stdout: Real all[2,3];
//! stdout: Real twice[3];
//! stdout: final parameter Real table.used[3] = 3.0;
//! run: check --class SizesOfResults
//! run: check --class Unknown
//! exit: 1
//! code: MS2040 line 59
// The size of a result that its function leaves open is that of the one value it is given. A field whose value is chosen by a
// condition has the size of what is chosen.
record Cell
  Real x;
end Cell;
record Row
  Cell cell[3];
end Row;
record Block
  Row row[2];
end Block;
function values
  input Block b;
  output Real x[:, :];
algorithm
  x := b.row.cell.x;
end values;
function doubled
  input Real v[:];
  output Real y[:];
algorithm
  y := 2*v;
end doubled;
function some
  input Real v[:];
  output Real y[:];
algorithm
  if v[1] > 0 then
    y := v;
  else
    y := {v[1]};
  end if;
end some;
record Table
  parameter Boolean short = true;
  parameter Real points[:] = {0, 1};
  final parameter Real used[:] = if short then {0, 1} else points;
end Table;
record Long
  extends Table(points = {1, 2, 3});
end Long;
model SizesOfResults
  Block b;
  Real all[:, :] = values(b);
  Real twice[:] = doubled({time, 1, 2});
  parameter Table table = Long(short = false);
equation
  b.row.cell.x = {{1, 2, 3}, {4, 5, 6}}*time;
end SizesOfResults;
model Unknown
  Real y[:] = some({time, 1});
end Unknown;
