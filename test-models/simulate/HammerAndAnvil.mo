//! run: simulate --stop-time 0.62 --format json
// At the impact the momentum is kept, 10 of 110 kg move on. The hammer leaves where the anvil falls as it does, `c*y = M*g` upwards.
//! approx: /events/0/time == 0.4515236409857309 +- 1e-9
//! approx: /events/0/jumps/v/after == -0.40267699255 +- 1e-8
//! json: /events/0/impulses/N/order == "1"
//! approx: /events/0/impulses/N/weight == 40.267699255 +- 1e-6
//! approx: /events/1/time == 0.5892292567 +- 1e-7
//! json: /events/1/to/contact == false
//! run: restart --from contact=false --to contact=true --at x=0,y=0,v=-4.429446918,w=0 --format json
//! approx: /weights/N == 40.267699255 +- 1e-6
model HammerAndAnvil "A contact that positions close and the force keeps closed: the force is there once it is closed"
  parameter Real m = 10, M = 100, c = 1e5, g = 9.81;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0, fixed = true), w(start = 0, fixed = true);
  Real N;
  Boolean contact(start = false, fixed = true);
equation
  der(x) = v;
  der(y) = w;
  m*der(v) = N - m*g;
  M*der(w) = -c*y - N;
  contact = if pre(contact) then pre(N) > 0 else pre(x) < pre(y);
  if contact then
    x = y;
  else
    N = 0;
  end if;
end HammerAndAnvil;
