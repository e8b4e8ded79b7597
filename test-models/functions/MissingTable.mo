//! run: simulate --stop-time 1
//! exit: 1
//! code: MS6008
//! stderr: missing.txt
// The file of a table is missing: that is told, and not what follows from it, such as a table without a number.
model MissingTable
  class Table
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Real values[:, :];
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init3(
        file, name, values, size(values, 1), size(values, 2), columns, size(columns, 1), smoothness, extrapolation, false, ",", 0);
    end constructor;
    function destructor
      input Table table;
      external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;
  function lookUp
    input Table table;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
  end lookUp;
  parameter Table table = Table("t", "missing.txt", fill(0.0, 0, 2), {2}, 1, 2);
  Real y = lookUp(table, 1, time);
end MissingTable;
