//! run: check --class WrongClocks.Conflict
//! exit: 1
//! code: MS2070
//! run: check --class WrongClocks.NoWholeFactor
//! exit: 1
//! code: MS2070
//! run: check --class WrongClocks.TwoEvents
//! exit: 1
//! code: MS2070
//! run: check --class WrongClocks.TwoSolvers
//! exit: 1
//! code: MS2070
//! run: check --class WrongClocks.NoFactor
//! exit: 1
//! code: MS2071
//! run: check --class WrongClocks.SampleOfClocked
//! exit: 1
//! code: MS2072
//! run: check --class WrongClocks.WithoutHold
//! exit: 1
//! code: MS2072
//! run: check --class WrongClocks.HoldOfContinuous
//! exit: 1
//! code: MS2072
//! run: check --class WrongClocks.IntervalOfContinuous
//! exit: 1
//! code: MS2072
//! run: check --class WrongClocks.HoldOfExpression
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.TooEarly
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.FasterThanEvents
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.NegativeFactor
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.UnknownFactor
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.UnknownMethod
//! exit: 1
//! code: MS2073
//! run: check --class WrongClocks.TooMany
//! exit: 1
//! code: MS2075
//! run: check --class WrongClocks.TooFew
//! exit: 1
//! code: MS2075
//! run: check --class WrongClocks.NoSolver
//! exit: 1
//! code: MS2075
//! run: check --class WrongClocks.LoopOfBooleans
//! exit: 1
//! code: MS2075
// One mistake with clocks in each model.
package WrongClocks
  model Conflict
    Real x = sample(time, Clock(1, 10));
    Real y = x + sample(time, Clock(3, 10));
  end Conflict;
  model NoWholeFactor
    Real x = sample(time, Clock(1, 10));
    Real y = subSample(x) + sample(time, Clock(3, 20));
  end NoWholeFactor;
  model TwoEvents
    Real x = sample(time, Clock(time > 1));
    Real y = x + sample(time, Clock(time > 2));
  end TwoEvents;
  model TwoSolvers
    Real x(start = 1);
    Real y = sample(time, Clock(Clock(1, 10), "ExplicitEuler"));
    Real z = sample(time, Clock(Clock(1, 10), "ImplicitEuler"));
  equation
    der(x) = y + z;
  end TwoSolvers;
  model NoFactor
    Real x = sample(time, Clock(1, 10));
    Real y = superSample(x);
  end NoFactor;
  model SampleOfClocked
    Real x = sample(time, Clock(1, 10));
    Real y = sample(x, Clock(1, 10));
  end SampleOfClocked;
  model WithoutHold
    Real x(start = 0, fixed = true);
    Real u = sample(x, Clock(1, 10));
  equation
    der(x) = u;
  end WithoutHold;
  model HoldOfContinuous
    Real x = hold(y);
    Real y = time + hold(z);
    Real z = sample(time, Clock(1, 10));
  end HoldOfContinuous;
  model IntervalOfContinuous
    Real z = sample(time, Clock(1, 10));
    Real y = interval(z) + hold(z);
  end IntervalOfContinuous;
  model HoldOfExpression
    Real x = sample(time, Clock(1, 10));
    Real y = hold(x + 1);
  end HoldOfExpression;
  model TooEarly
    Real x = sample(time, Clock(1, 10));
    Real y = backSample(x, 1);
  end TooEarly;
  model FasterThanEvents
    Real x = sample(time, Clock(time > 0.5));
    Real y = superSample(x, 2);
  end FasterThanEvents;
  model NegativeFactor
    Real x = sample(time, Clock(1, 10));
    Real y = subSample(x, -2);
  end NegativeFactor;
  model UnknownFactor
    Integer n = sample(2, Clock(1, 10));
    Real x = sample(time, Clock(1, 10));
    Real y = subSample(x, n);
  end UnknownFactor;
  model UnknownMethod
    Real x(start = 1);
    Real y = sample(time, Clock(Clock(1, 10), "Magic"));
  equation
    der(x) = y;
  end UnknownMethod;
  model TooMany
    Real x(start = 0);
  equation
    when Clock(1, 10) then
      x = previous(x) + 1;
      x = previous(x) - 1;
    end when;
  end TooMany;
  model TooFew
    Real x = sample(time, Clock(1, 10));
    Real y;
    Real z;
  equation
    x = y + z;
  end TooFew;
  model NoSolver
    Real x(start = 1);
  equation
    der(x) = sample(time, Clock(1, 10));
  end NoSolver;
  model LoopOfBooleans
    Boolean a = not b;
    Boolean b = not a or sample(time > 1, Clock(1, 10));
  end LoopOfBooleans;
end WrongClocks;
