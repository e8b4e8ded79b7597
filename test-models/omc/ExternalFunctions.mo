//! run: flatten --class ExternalFunctions
// External functions: default call, explicit C call with arrays and sizes, library annotations, an external object.
function hypotenuse
  input Real x, y;
  output Real z;
  external "C" z = hypot(x, y);
end hypotenuse;

function norm
  input Real v[:];
  output Real n;
  external "C" n = vector_norm(v, size(v, 1)) annotation(Include = "#include \"vector_norm.h\"", Library = "vectors");
end norm;

function swap
  input Real a, b;
  output Real c, d;
  external "C";
end swap;

class Table
  extends ExternalObject;
  function constructor
    input String fileName;
    input Real data[:, 2];
    output Table table;
    external "C" table = table_open(fileName, data, size(data, 1), size(data, 2));
  end constructor;
  function destructor
    input Table table;
    external "C" table_close(table);
  end destructor;
end Table;

function lookup
  input Table table;
  input Real u;
  output Real y;
  external "C" y = table_lookup(table, u);
end lookup;

model ExternalFunctions
  Table table = Table("pump.txt", [0, 0; 1, 2]);
  Real y = lookup(table, time);
  Real z = hypotenuse(time, 1);
  Real n = norm({time, y, z});
  Real c, d;
equation
  (c, d) = swap(y, z);
end ExternalFunctions;
