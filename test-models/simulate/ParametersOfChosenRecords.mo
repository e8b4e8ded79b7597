//! run: simulate --class ParametersOfChosenRecords.Stack --format json --stop-time 1
//! json: /completed == true
//! approx: /final/cells.cell[1,1].x[1] == 0.2865047968601901 +- 1e-5
//! approx: /final/cells.cell[1,1].x[2] == 0.0820849986238988 +- 1e-5
//! approx: /final/cells.cell[2,1].x[1] == 0.5352614285189903 +- 1e-5
//! approx: /final/cells.cell[2,1].x[2] == 0.2865047968601901 +- 1e-5
// Records with arrays in them are chosen by a condition in a comprehension, and given to an array of components whose sizes they say.
package ParametersOfChosenRecords
  record Part
    parameter Real R = 1;
  end Part;

  record Data
    parameter Real scale = 1;
    parameter Integer n = 1;
    parameter Part part[n] = {Part(R = 0)};
  end Data;

  record Measured
    extends Data(n = 2, part = {Part(R = 0.2*scale), Part(R = 0.1*scale)});
  end Measured;

  function anyTrue
    input Boolean b[:];
    output Boolean y;
  algorithm
    y := false;
    for i in 1:size(b, 1) loop
      y := y or b[i];
    end for;
  end anyTrue;

  record StackData
    parameter Integer rows = 1, columns = 1;
    parameter Integer bad[:, 2] = {{0, 0}};
    parameter Data good, worn;
    parameter Data cells[rows, columns] =
      {{if anyTrue({i == bad[k, 1] and j == bad[k, 2] for k in 1:size(bad, 1)}) then worn else good
        for j in 1:columns} for i in 1:rows};
  end StackData;

  model Cell
    parameter Data data;
    Real x[data.n](each start = 1, each fixed = true);
  equation
    for k in 1:data.n loop
      data.part[k].R*der(x[k]) = -x[k];
    end for;
  end Cell;

  model Cells
    parameter StackData data;
    Cell cell[data.rows, data.columns](data = data.cells);
  end Cells;

  model Stack
    parameter Measured good(scale = 4), worn(scale = 8);
    parameter StackData data(rows = 2, bad = [2, 1], good = good, worn = worn);
    Cells cells(data = data);
  end Stack;
end ParametersOfChosenRecords;
