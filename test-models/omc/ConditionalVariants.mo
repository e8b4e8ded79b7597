//! run: flatten --class ConditionalVariants
// Conditional components of many kinds: arrays, size zero, enumeration condition, conditional input and parameter choice.
type Kind = enumeration(none, simple, full);
connector RealInput = input Real;
connector RealOutput = output Real;

block Filter
  parameter Kind kind = Kind.simple;
  parameter Boolean useBias = false;
  parameter Integer n = if kind == Kind.full then 3 else 1;
  RealInput u;
  RealInput bias if useBias;
  RealOutput y;
  Real x[n](each start = 0, each fixed = true) if kind <> Kind.none;
  parameter Real T = 0.1 if kind == Kind.full;
  Lag lag[n] if kind == Kind.full;
protected
  RealInput biasInternal;
  Const zero if not useBias;
  block Const
    RealOutput y = 0;
  end Const;
  block Lag
    parameter Real tau = 2;
    Real s(start = 0);
  equation
    tau*der(s) = -s + 1;
  end Lag;
equation
  connect(bias, biasInternal);
  connect(zero.y, biasInternal);
  if kind == Kind.none then
    y = u + biasInternal;
  else
    der(x[1]) = u - x[1];
    for i in 2:n loop
      der(x[i]) = x[i - 1] - x[i];
    end for;
    y = x[n] + biasInternal;
  end if;
end Filter;

model ConditionalVariants
  Filter a(kind = Kind.none, u = time);
  Filter b(u = time, useBias = true, bias = 2);
  Filter c(kind = Kind.full, u = sin(time));
end ConditionalVariants;
