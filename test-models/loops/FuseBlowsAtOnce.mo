//! run: modes --format json
//! exit: 1
//! json: /loops/0/status == "none"
//! code: MS4014
// Where the fuse blows there is no current that could have blown it.
model FuseBlowsAtOnce
  Real x(start = 0, fixed = true), i;
  Boolean blown(start = false, fixed = true);
equation
  der(x) = 1;
  i = if blown then 0 else x;
  when i > 0.5 then
    blown = true;
  end when;
end FuseBlowsAtOnce;
