//! run: check --class ConnectInTimeIf
//! exit: 1
//! code: MS2043 line 18
// Wrong: connect inside an if-equation whose condition depends on time.
connector Pin
  Real v;
  flow Real i;
end Pin;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model ConnectInTimeIf
  Ground a, b;
equation
  if time > 1 then
    connect(a.p, b.p);
  end if;
end ConnectInTimeIf;
