//! run: parse
model Equations
equation
  x = y "description" annotation(Evaluate = true);
  (a, , b) = f(x);
  (a, b) = f(x, n = 1);
  if c then
    x = 1;
  elseif d then
    y = 2;
  else
    z = 3;
  end if "why" annotation(x = 1);
  if c then
  end if;
  for i in 1:n, j in {1, 2}, k loop
    x[i, j] = k;
  end for;
  when e then
    reinit(x, 0);
  elsewhen {f, g} then
    terminate("done");
  end when;
  connect(a.p, b[1].n) annotation(Line(points = {{0, 0}, {1, 1}}));
  assert(x > 0, "positive", AssertionLevel.warning);
  Connections.root(frame.R);
  initial(x);
algorithm
  x := 1 "description";
  a.b[1].c := 2;
  (x, , y) := f(1);
  (z) := f(2);
  f(x);
  if c then
    x := 1;
  elseif d then
    return;
  else
    break;
  end if;
  for i loop
    x[i] := i;
  end for;
  while x < 1 loop
    x := x + 1;
  end while;
  when sample(0, 1) then
    y := pre(y);
  elsewhen edge(b) then
    y := 0;
  end when;
end Equations;
