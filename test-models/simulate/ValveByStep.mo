//! run: simulate --format json
//! json: /completed == true
//! approx: /final/pipe.q == 6.321205588285577e-4 +- 1e-8
// A check valve that a step of pressure opens: the flow begins on the threshold of its condition.
model ValveByStep
  model Feed
    Modeshift.Hydraulics.Port port;
  equation
    port.p = if time < 1 then -1000 else 1000;
  end Feed;
  Feed feed;
  Modeshift.Hydraulics.LongPipe pipe(k = 1e-6, I = 1e6);
  Modeshift.Hydraulics.CheckValve valve(open(start = false), s(start = -1));
  Modeshift.Hydraulics.Ambient out;
equation
  connect(feed.port, pipe.port_a);
  connect(pipe.port_b, valve.port_a);
  connect(valve.port_b, out.port);
  annotation(experiment(StopTime = 2));
end ValveByStep;
