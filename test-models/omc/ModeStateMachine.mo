//! run: flatten --class ModeStateMachine
// Multimode: a batch process as a state machine with an Integer mode variable, when/elsewhen chain and if-equation over the mode.
model ModeStateMachine
  constant Integer idle = 0, filling = 1, heating = 2, draining = 3;
  parameter Real levelMax = 1, TSet = 350, rate = 0.2;
  Integer mode(start = idle, fixed = true);
  Real level(start = 0.05, fixed = true), T(start = 290, fixed = true);
  Real inflow, outflow, Q;
  Boolean startButton = mod(time, 50) > 1;
equation
  when mode == idle and startButton then
    mode = filling;
  elsewhen pre(mode) == filling and level > levelMax then
    mode = heating;
  elsewhen pre(mode) == heating and T > TSet then
    mode = draining;
  elsewhen pre(mode) == draining and level < 0.05 then
    mode = idle;
  end when;
  if mode == filling then
    inflow = rate;
    outflow = 0;
    Q = 0;
  elseif mode == heating then
    inflow = 0;
    outflow = 0;
    Q = 10;
  elseif mode == draining then
    inflow = 0;
    outflow = rate*sqrt(max(level, 0));
    Q = 0;
  else
    inflow = 0;
    outflow = 0;
    Q = 0;
  end if;
  der(level) = inflow - outflow;
  level*der(T) = Q + inflow*(290 - T);
end ModeStateMachine;
