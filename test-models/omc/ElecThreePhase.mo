//! run: flatten --class ElecThreePhase
// Arrays of connectors connected as wholes and by slices: a three-phase source, lines and a star load.
connector Pin
  Real v;
  flow Real i;
end Pin;

connector Plug "m pins in one connector"
  parameter Integer m = 3;
  Pin pin[m];
end Plug;

model Source3
  Plug plug;
  parameter Real V = 325, w = 314.159;
equation
  for k in 1:3 loop
    plug.pin[k].v = V*sin(w*time - (k - 1)*2.0943951);
  end for;
end Source3;

model Line3
  Plug a, b;
  parameter Real R[3] = {0.1, 0.1, 0.2};
equation
  a.pin.v - b.pin.v = R.*a.pin.i;
  a.pin.i + b.pin.i = zeros(3);
end Line3;

model Star
  Plug plug;
  Pin star;
equation
  for k in 1:3 loop
    connect(plug.pin[k], star);
  end for;
end Star;

model Load
  Pin p[3], n[3];
  parameter Real R = 10;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = fill(0, 3);
end Load;

model ElecThreePhase
  Source3 src;
  Line3 line;
  Load load(R = 20);
  Star star;
equation
  connect(src.plug, line.a);
  connect(line.b.pin[1:2], load.p[1:2]);
  connect(line.b.pin[3], load.p[3]);
  connect(load.n, star.plug.pin);
end ElecThreePhase;
