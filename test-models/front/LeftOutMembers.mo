//! run: flatten --class LeftOutMembers
//! stdout: full.a.e = first.a.e;
//! stdout: full.b.e = second.b.e;
//! run: check --class LeftOutMembers
//! run: check --class Unlike
//! exit: 1
//! code: MS3002 line 52
// A member that a condition leaves out on one side is not connected; a member that is not declared there is a mistake.
connector Pin
  Real e;
  flow Real f;
end Pin;
connector Full
  Pin a;
  Pin b;
end Full;
connector First
  parameter Boolean both = false;
  Pin a;
  Pin b if both;
end First;
connector Second
  Pin a if false;
  Pin b;
end Second;
connector Alone
  Pin a;
end Alone;
model Body
  Full full;
equation
  full.a.e = 1;
  full.b.e = 2;
end Body;
model LeftOutMembers
  Body body;
  Full full;
  First first;
  Second second;
equation
  connect(full, first);
  connect(full, second);
  connect(body.full, full);
end LeftOutMembers;
model Unlike
  Full full;
  Alone alone;
equation
  full.a.e = 1;
  full.b.e = 2;

  connect(full, alone);
end Unlike;
