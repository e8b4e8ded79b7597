//! run: flatten --class HeatRod
// Heat ports: a rod cut into n cells; temperatures as an array of components, open end insulated.
connector HeatPort
  Real T(unit = "K", start = 293.15);
  flow Real Q_flow(unit = "W");
end HeatPort;

model Capacity
  parameter Real C(unit = "J/K");
  parameter Real T0 = 293.15;
  HeatPort port(T(start = T0, fixed = true));
equation
  C*der(port.T) = port.Q_flow;
end Capacity;

model Conductor
  parameter Real G(unit = "W/K");
  HeatPort a, b;
equation
  a.Q_flow = G*(a.T - b.T);
  a.Q_flow + b.Q_flow = 0;
end Conductor;

model FixedTemperature
  parameter Real T = 293.15;
  HeatPort port;
equation
  port.T = T;
end FixedTemperature;

model Rod
  parameter Integer n(min = 2) = 3;
  parameter Real C = 100, G = 5;
  HeatPort left, right;
  Capacity cell[n](each C = C/n, T0 = linspace(300, 350, n));
  Conductor cond[n - 1](each G = G*(n - 1));
equation
  connect(left, cell[1].port);
  for i in 1:n - 1 loop
    connect(cell[i].port, cond[i].a);
    connect(cond[i].b, cell[i + 1].port);
  end for;
  connect(cell[n].port, right);
end Rod;

model HeatRod
  Rod rod(n = 4);
  FixedTemperature hot(T = 400);
  Conductor film(G = 2);
equation
  connect(hot.port, film.a);
  connect(film.b, rod.left);
end HeatRod;
