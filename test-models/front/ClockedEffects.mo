//! run: simulate --stop-time 0.35 --format json
//! approx: /final/n == 7 +- 1e-12
// The branches of an `if` in a clocked partition have as many equations, apart from what only has an effect.
model ClockedEffects
  Integer n(start = 0);
  Boolean begun(start = false);
equation
  when Clock(1, 10) then
    if not previous(begun) then
      n = 4;
      assert(n > 0, "it begins with something");
      begun = true;
    else
      n = previous(n) + 1;
      begun = previous(begun);
    end if;
  end when;
end ClockedEffects;
