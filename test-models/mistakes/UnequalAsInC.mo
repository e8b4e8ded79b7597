//! exit: 1
//! code: MS0009 line 11
//! snapshot
//! mend: 11:     position = if pre(position) <> stations then pre(position) + 1 else 1;
model UnequalAsInC "Indexing table"
  parameter Integer stations = 6;
  discrete Integer position(start = 1, fixed = true);
  discrete Integer turns(start = 0, fixed = true);
equation
  when sample(1, 2) then
    position = if pre(position) != stations then pre(position) + 1 else 1;
    turns = if position == 1 then pre(turns) + 1 else pre(turns);
  end when;
end UnequalAsInC;
