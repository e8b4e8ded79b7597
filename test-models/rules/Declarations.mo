//! run: check --class UseBeforeDeclarationWrong
//! exit: 1
//! code: MS2001 line 80
//! run: check --class UseBeforeDeclaration
//! run: check --class RealToIntegerWrong
//! exit: 1
//! code: MS2020 line 88
//! run: check --class RealToInteger
//! run: check --class NumberToBooleanWrong
//! exit: 1
//! code: MS2020 line 95
//! run: check --class NumberToBoolean
//! run: check --class ParameterByTimeWrong
//! exit: 1
//! code: MS2025 line 102
//! run: check --class ParameterByTime
//! run: check --class NegativeSizeWrong
//! exit: 1
//! code: MS2040 line 109
//! run: check --class NegativeSize
//! run: check --class RealSizeWrong
//! exit: 1
//! code: MS2040 line 116
//! run: check --class RealSize
//! run: check --class VaryingSizeWrong
//! exit: 1
//! code: MS2025 line 124
//! run: check --class VaryingSize
//! run: check --class ArrayConditionWrong
//! exit: 1
//! code: MS2033 line 132
//! run: check --class ArrayCondition
//! run: check --class ShortOfNothingWrong
//! exit: 1
//! code: MS2002 line 139
//! run: check --class ShortOfNothing
//! run: check --class PackageComponentWrong
//! exit: 1
//! code: MS2015 line 149
//! run: check --class PackageComponent
//! run: check --class FunctionComponentWrong
//! exit: 1
//! code: MS2015 line 158
//! run: check --class FunctionComponent
//! run: check --class StartTypeWrong
//! exit: 1
//! code: MS2020 line 166
//! run: check --class StartType
//! run: check --class FixedTypeWrong
//! exit: 1
//! code: MS2020 line 173
//! run: check --class FixedType
//! run: check --class UnitTypeWrong
//! exit: 1
//! code: MS2020 line 184
//! run: check --class UnitType
//! run: check --class StateSelectTypeWrong
//! exit: 1
//! code: MS2020 line 191
//! run: check --class StateSelectType
//! run: check --class VaryingAttributeWrong
//! exit: 1
//! code: MS2025 line 198
//! run: check --class VaryingAttribute
//! run: check --class IntegerUnitWrong
//! exit: 1
//! code: MS2006 line 206
//! run: check --class IntegerUnit
//! run: check --class BooleanMinWrong
//! exit: 1
//! code: MS2006 line 213
//! run: check --class BooleanMin
//! run: check --class OtherEnumerationWrong
//! exit: 1
//! code: MS2020 line 222
//! run: check --class OtherEnumeration
// Declarations, types and attributes. Each rule is shown by a model that breaks it and one that does not.
// §4.2 Sections stand behind the declarations they need no order of.
model UseBeforeDeclarationWrong
  Real x = y;
end UseBeforeDeclarationWrong;
model UseBeforeDeclaration
  Real x = y;
  Real y = 1;
end UseBeforeDeclaration;
// §4.4.2 An Integer is not given a Real.
model RealToIntegerWrong
  Integer n = 1.5;
end RealToIntegerWrong;
model RealToInteger
  Real n = 1;
end RealToInteger;
// §4.4.2 A Boolean is not given a number.
model NumberToBooleanWrong
  Boolean b = 1;
end NumberToBooleanWrong;
model NumberToBoolean
  Boolean b = true;
end NumberToBoolean;
// §4.4.2 A parameter is not given what changes.
model ParameterByTimeWrong
  parameter Real p = time;
end ParameterByTimeWrong;
model ParameterByTime
  parameter Real p = 1;
end ParameterByTime;
// §4.4.3 A size is not negative.
model NegativeSizeWrong
  Real x[-1];
end NegativeSizeWrong;
model NegativeSize
  Real x[0];
end NegativeSize;
// §4.4.3 A size is an Integer.
model RealSizeWrong
  Real x[1.5];
end RealSizeWrong;
model RealSize
  Real x[2] = {1, 2};
end RealSize;
// §4.4.3 A size is known before the simulation.
model VaryingSizeWrong
  Integer n = integer(time);
  Real x[n];
end VaryingSizeWrong;
model VaryingSize
  parameter Integer n = 2;
  Real x[n] = {1, 2};
end VaryingSize;
// §4.4.5 A condition is scalar.
model ArrayConditionWrong
  Real x if {true, false};
end ArrayConditionWrong;
model ArrayCondition
  Real x = 1 if true;
end ArrayCondition;
// §4.6 A short class has a class to stand for.
model ShortOfNothingWrong
  type T = Nothing;
  T x = 1;
end ShortOfNothingWrong;
model ShortOfNothing
  type T = Real;
  T x = 1;
end ShortOfNothing;
// §4.7 A component of a package class is refused.
model PackageComponentWrong
  package P constant Real c = 1; end P;
  P p;
end PackageComponentWrong;
model PackageComponent
  package P constant Real c = 1; end P;
  Real x = P.c;
end PackageComponent;
// §4.7 A function is not a component of a model.
model FunctionComponentWrong
  function f input Real x; output Real y = x; end f;
  f g;
end FunctionComponentWrong;
model FunctionComponent
  function f input Real x; output Real y = x; end f;
  Real y = f(1);
end FunctionComponent;
// §4.9.1 `start` has the type of its variable.
model StartTypeWrong
  Real x(start = "a") = 1;
end StartTypeWrong;
model StartType
  Real x(start = 2) = 1;
end StartType;
// §4.9.1 `fixed` is Boolean.
model FixedTypeWrong
  Real x(start = 1, fixed = 1);
equation
  der(x) = 1;
end FixedTypeWrong;
model FixedType
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
end FixedType;
// §4.9.1 `unit` is a String.
model UnitTypeWrong
  Real x(unit = 1) = 1;
end UnitTypeWrong;
model UnitType
  Real x(unit = "m") = 1;
end UnitType;
// §4.9.1 `stateSelect` is a literal of `StateSelect`.
model StateSelectTypeWrong
  Real x(stateSelect = 1) = 1;
end StateSelectTypeWrong;
model StateSelectType
  Real x(stateSelect = StateSelect.avoid) = 1;
end StateSelectType;
// §4.9.1 Attributes are parameter expressions.
model VaryingAttributeWrong
  Real x(min = time) = 1;
end VaryingAttributeWrong;
model VaryingAttribute
  parameter Real p = 0;
  Real x(min = p) = 1;
end VaryingAttribute;
// §4.9.2 An Integer has no unit.
model IntegerUnitWrong
  Integer n(unit = "m") = 1;
end IntegerUnitWrong;
model IntegerUnit
  Integer n(min = 0) = 1;
end IntegerUnit;
// §4.9.3 A Boolean has no bounds.
model BooleanMinWrong
  Boolean b(min = false) = true;
end BooleanMinWrong;
model BooleanMin
  Boolean b(start = false) = true;
end BooleanMin;
// §4.9.5 Enumerations of different types are not equal.
model OtherEnumerationWrong
  type E = enumeration(a, b);
  type F = enumeration(c, d);
  E e = F.c;
end OtherEnumerationWrong;
model OtherEnumeration
  type E = enumeration(a, b);
  E e = E.a;
end OtherEnumeration;
