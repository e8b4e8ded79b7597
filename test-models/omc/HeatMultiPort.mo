//! run: flatten --class HeatMultiPort
// One heat port connected to many, arrays connected as wholes, vector of prescribed flows with sum.
connector HeatPort
  Real T;
  flow Real Q_flow;
end HeatPort;

model Wall
  parameter Integer m = 2;
  parameter Real[m] G = ones(m);
  HeatPort inside[m], outside;
equation
  inside.Q_flow = G.*(inside.T - fill(outside.T, m));
  outside.Q_flow = -sum(inside.Q_flow);
end Wall;

model Room
  parameter Real C = 1000;
  HeatPort port;
  Real T(start = 290);
equation
  T = port.T;
  C*der(T) = port.Q_flow;
end Room;

model Weather
  HeatPort port;
equation
  port.T = 280 + 5*sin(time/86400*6.28);
end Weather;

model Heater
  HeatPort port;
  parameter Real P = 100;
equation
  port.Q_flow = -P;
end Heater;

model HeatMultiPort
  Room rooms[3](C = {1000, 2000, 1500});
  Heater heaters[3](each P = 50);
  Wall wall(m = 3, G = {1, 2, 3});
  Weather weather;
equation
  connect(rooms.port, wall.inside);
  connect(heaters.port, rooms.port);
  connect(weather.port, wall.outside);
end HeatMultiPort;
