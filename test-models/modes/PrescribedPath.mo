//! run: check --deny warnings
//! run: simulate --format csv --stop-time 2
// A carriage is driven along a path that is a function of time. The path must be differentiated twice, in one piece of it less
// than in the other, but it constrains no state: there is nothing to warn of.
model PrescribedPath
  parameter Real vmax = 2;
  parameter Real m = 3;
  Real scale;
  Real s;
  Real v;
  Real force;
  Real work(start = 0, fixed = true);
equation
  scale = vmax/2;
  if time < 1 then
    s = scale*time^2;
  else
    s = vmax*time - vmax/2;
  end if;
  v = der(s);
  force = m*der(v);
  der(work) = force*v;
end PrescribedPath;
