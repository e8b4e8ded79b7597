//! run: check --class SidesSizesWrong
//! exit: 1
//! code: MS2024 line 62
//! run: check --class SidesSizes
//! run: check --class TupleOfExpressionsWrong
//! exit: 1
//! code: MS2035 line 74
//! run: check --class TupleOfExpressions
//! run: check --class TooManyTargetsWrong
//! exit: 1
//! code: MS2020 line 87
//! run: check --class TooManyTargets
//! run: check --class VaryingRangeWrong
//! exit: 1
//! code: MS2025 line 100
//! run: check --class VaryingRange
//! run: check --class ScalarRangeWrong
//! exit: 1
//! code: MS2024 line 112
//! run: check --class ScalarRange
//! run: check --class IfNumberWrong
//! exit: 1
//! code: MS2033 line 123
//! run: check --class IfNumber
//! run: check --class WhenNumberWrong
//! exit: 1
//! code: MS2033 line 138
//! run: check --class WhenNumber
//! run: check --class WhenInitiallyWrong
//! exit: 1
//! code: MS2032 line 149
//! run: check --class WhenInitially
//! run: check --class WhenBranchesWrong
//! exit: 1
//! code: MS2032 line 160
//! run: check --class WhenBranches
//! run: check --class ReinitOutsideWrong
//! exit: 1
//! code: MS2032 line 172
//! run: check --class ReinitOutside
//! run: check --class ReinitIntegerWrong
//! exit: 1
//! code: MS2034 line 184
//! run: check --class ReinitInteger
//! run: check --class AssertNumberWrong
//! exit: 1
//! code: MS2033 line 195
//! run: check --class AssertNumber
//! run: check --class AssertMessageWrong
//! exit: 1
//! code: MS2023 line 204
//! run: check --class AssertMessage
//! run: check --class TerminateMessageWrong
//! exit: 1
//! code: MS2023 line 213
//! run: check --class TerminateMessage
// Equations of all kinds. Each rule is shown by a model that breaks it and one that does not.
// §8.3.1 Sides of an equation have one size.
model SidesSizesWrong
  Real x[2];
equation
  x = {1, 2, 3};
end SidesSizesWrong;
model SidesSizes
  Real x[2];
equation
  x = {1, 2};
end SidesSizes;
// §8.3.1 Results of a function go to variables.
model TupleOfExpressionsWrong
  function f input Real u; output Real a = u; output Real b = u; end f;
  Real x, y;
equation
  (x + 1, y) = f(1);
end TupleOfExpressionsWrong;
model TupleOfExpressions
  function f input Real u; output Real a = u; output Real b = u; end f;
  Real x, y;
equation
  (x, y) = f(1);
end TupleOfExpressions;
// §8.3.1 There are not more targets than results.
model TooManyTargetsWrong
  function f input Real u; output Real a = u; end f;
  Real x, y;
equation
  (x, y) = f(1);
end TooManyTargetsWrong;
model TooManyTargets
  function f input Real u; output Real a = u; output Real b = u; end f;
  Real x, y;
equation
  (x, y) = f(1);
end TooManyTargets;
// §8.3.2 The range of a for-equation is known.
model VaryingRangeWrong
  Integer n = integer(time);
  Real x[3];
equation
  for i in 1:n loop x[i] = 1; end for;
end VaryingRangeWrong;
model VaryingRange
  parameter Integer n = 3;
  Real x[3];
equation
  for i in 1:n loop x[i] = 1; end for;
end VaryingRange;
// §8.3.2 A range is a vector.
model ScalarRangeWrong
  Real x[3];
equation
  for i in 3 loop x[i] = 1; end for;
end ScalarRangeWrong;
model ScalarRange
  Real x[3];
equation
  for i in 1:3 loop x[i] = 1; end for;
end ScalarRange;
// §8.3.4 The condition of an if-equation is Boolean.
model IfNumberWrong
  Real x;
equation
  if 1 then x = 1;
  else x = 2;
  end if;
end IfNumberWrong;
model IfNumber
  Real x;
equation
  if time > 1 then x = 1;
  else x = 2;
  end if;
end IfNumber;
// §8.3.5 The condition of a `when` is Boolean.
model WhenNumberWrong
  discrete Real x;
equation
  when 1 then x = 1; end when;
end WhenNumberWrong;
model WhenNumber
  discrete Real x;
equation
  when time > 1 then x = 1; end when;
end WhenNumber;
// §8.3.5 `when` does not stand among initial equations.
model WhenInitiallyWrong
  discrete Real x;
initial equation
  when time > 1 then x = 1; end when;
end WhenInitiallyWrong;
model WhenInitially
  discrete Real x;
equation
  when time > 1 then x = 1; end when;
end WhenInitially;
// §8.3.5 Branches of a `when` determine the same variables.
model WhenBranchesWrong
  discrete Real x, y;
equation
  when time > 1 then x = 1; elsewhen time > 2 then y = 1; end when;
end WhenBranchesWrong;
model WhenBranches
  discrete Real x;
equation
  when time > 1 then x = 1; elsewhen time > 2 then x = 2; end when;
end WhenBranches;
// §8.3.6 `reinit` stands in a `when`.
model ReinitOutsideWrong
  Real x(start = 0);
equation
  der(x) = 1;
  reinit(x, 0);
end ReinitOutsideWrong;
model ReinitOutside
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then reinit(x, 0); end when;
end ReinitOutside;
// §8.3.6 `reinit` takes a continuous Real.
model ReinitIntegerWrong
  Integer n(start = 0);
equation
  when time > 1 then n = 1; reinit(n, 0); end when;
end ReinitIntegerWrong;
model ReinitInteger
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then reinit(x, 0); end when;
end ReinitInteger;
// §8.3.7 `assert` takes a Boolean.
model AssertNumberWrong
equation
  assert(1, "a");
end AssertNumberWrong;
model AssertNumber
equation
  assert(time >= 0, "a");
end AssertNumber;
// §8.3.7 The message of `assert` is a String.
model AssertMessageWrong
equation
  assert(time >= 0, 1);
end AssertMessageWrong;
model AssertMessage
equation
  assert(time >= 0, "a");
end AssertMessage;
// §8.3.8 The message of `terminate` is a String.
model TerminateMessageWrong
equation
  when time > 1 then terminate(1); end when;
end TerminateMessageWrong;
model TerminateMessage
equation
  when time > 1 then terminate("a"); end when;
end TerminateMessage;
