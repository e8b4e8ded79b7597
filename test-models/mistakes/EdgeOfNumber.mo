//! exit: 1
//! code: MS2034 line 9
//! snapshot
//! mend: 9:   when sin(angle) > 0 then
model EdgeOfNumber "Counts the turns of a wheel"
  Real angle = 6*time;
  discrete Integer n(start = 0, fixed = true);
equation
  when edge(angle) then
    n = pre(n) + 1;
  end when;
end EdgeOfNumber;
