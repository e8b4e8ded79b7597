//! run: simulate --class EventsInFunctions.Test --format json
//! json: /completed == true
//! approx: /final/n == 3 +- 0
//! approx: /final/nearest == 3 +- 0
//! approx: /final/x == 0.5 +- 1e-9
//! run: check --class EventsInFunctions.Silent
//! exit: 1
//! code: MS2025 line 46
// Relations in functions make events where the author says so: `nearest` of 3*time jumps at 1/6, 1/2 and 5/6.
package EventsInFunctions
  function nearest
    input Real r;
    output Integer i;
  algorithm
    i := if r > 0 then integer(floor(r + 0.5)) else integer(ceil(r - 0.5));
    annotation(GenerateEvents = true, LateInline = true);
  end nearest;

  function atLeast
    input Real a;
    input Real b;
    output Boolean reached;
  algorithm
    if a >= b then
      reached := true;
    else
      reached := false;
    end if;
    annotation(GenerateEvents = true);
  end atLeast;

  model Test
    Integer nearest = EventsInFunctions.nearest(3*time);
    Boolean late = atLeast(time, 0.5);
    Integer n(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(x) = if late then 1 else 0;
    when change(nearest) then
      n = pre(n) + 1;
    end when;
    annotation(experiment(StopTime = 1));
  end Test;

  model Silent
    Boolean late = noEvent(atLeast(time, 0.5));
  end Silent;
end EventsInFunctions;
