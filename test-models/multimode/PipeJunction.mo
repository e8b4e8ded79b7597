//! run: restart --from open=true --to open=false --at supply.q=3,drain.q=1 --format json
//! approx: /right/supply.q == 1.5 +- 1e-9
//! approx: /right/drain.q == 1.5 +- 1e-9
//! run: transitions --from open=true --to open=false --format json
//! json: /transitions/0/verdict == "determined"
//! json: /transitions/0/impulsive/valve.dp == "1"
//! json: /transitions/0/jumps contains "supply.q"
//! json: /transitions/0/jumps contains "drain.q"
// A valve at the junction of two long pipes closes: their columns of liquid hit each other,
// (1 + 3)*q = 1*3 + 3*1.
model PipeJunction
  Modeshift.Hydraulics.Tank tank(A = 10, level(start = 2));
  Modeshift.Hydraulics.LongPipe supply(I = 1, k = 1);
  Modeshift.Hydraulics.LongPipe drain(I = 3, k = 1);
  Modeshift.Hydraulics.Valve valve;
  Modeshift.Hydraulics.Ambient ambient;
  input Boolean open(start = true);
equation
  valve.open = open;
  connect(tank.port, supply.port_a);
  connect(supply.port_b, drain.port_a);
  connect(supply.port_b, valve.port_a);
  connect(valve.port_b, ambient.port);
  connect(drain.port_b, ambient.port);
end PipeJunction;
