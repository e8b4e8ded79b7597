//! run: check --class AddSizesWrong
//! exit: 1
//! code: MS2021 line 88
//! run: check --class AddSizes
//! run: check --class AddScalarWrong
//! exit: 1
//! code: MS2021 line 95
//! run: check --class AddScalar
//! run: check --class DivideByArrayWrong
//! exit: 1
//! code: MS2021 line 102
//! run: check --class DivideByArray
//! run: check --class PowerOfMatrixWrong
//! exit: 1
//! code: MS2021 line 110
//! run: check --class PowerOfMatrix
//! run: check --class NotOfNumberWrong
//! exit: 1
//! code: MS2021 line 118
//! run: check --class NotOfNumber
//! run: check --class AndOfNumbersWrong
//! exit: 1
//! code: MS2021 line 125
//! run: check --class AndOfNumbers
//! run: check --class CompareTypesWrong
//! exit: 1
//! code: MS2021 line 132
//! run: check --class CompareTypes
//! run: check --class CompareArraysWrong
//! exit: 1
//! code: MS2021 line 139
//! run: check --class CompareArrays
//! run: check --class JoinNumberWrong
//! exit: 1
//! code: MS2021 line 146
//! run: check --class JoinNumber
//! run: check --class IfTypesWrong
//! exit: 1
//! code: MS2024 line 153
//! run: check --class IfTypes
//! run: check --class IfConditionWrong
//! exit: 1
//! code: MS2033 line 160
//! run: check --class IfCondition
//! run: check --class AbsOfStringWrong
//! exit: 1
//! code: MS2023 line 167
//! run: check --class AbsOfString
//! run: check --class IntegerOfRealWrong
//! exit: 1
//! code: MS2023 line 174
//! run: check --class IntegerOfReal
//! run: check --class StringOfArrayWrong
//! exit: 1
//! code: MS2023 line 182
//! run: check --class StringOfArray
//! run: check --class SinTwiceWrong
//! exit: 1
//! code: MS2022 line 189
//! run: check --class SinTwice
//! run: check --class DerOfIntegerWrong
//! exit: 1
//! code: MS2034 line 197
//! run: check --class DerOfInteger
//! run: check --class DerTwiceWrong
//! exit: 1
//! code: MS2022 line 208
//! run: check --class DerTwice
//! run: check --class EdgeOfExpressionWrong
//! exit: 1
//! code: MS2034 line 216
//! run: check --class EdgeOfExpression
//! run: check --class SampleIntervalWrong
//! exit: 1
//! code: MS2025 line 224
//! run: check --class SampleInterval
//! run: check --class InitialArgumentWrong
//! exit: 1
//! code: MS2022 line 231
//! run: check --class InitialArgument
//! run: check --class SmoothOrderWrong
//! exit: 1
//! code: MS2023 line 238
//! run: check --class SmoothOrder
// Operators and built-in functions: what they take. Each rule is shown by a model that breaks it and one that does not.
// §3.4 `+` and `-` take operands of one size.
model AddSizesWrong
  Real x[2] = {1, 2} + {1, 2, 3};
end AddSizesWrong;
model AddSizes
  Real x[2] = {1, 2} + {3, 4};
end AddSizes;
// §3.4 A scalar is not added to an array; `.+` is.
model AddScalarWrong
  Real x[2] = {1, 2} + 1;
end AddScalarWrong;
model AddScalar
  Real x[2] = {1, 2} .+ 1;
end AddScalar;
// §3.4 `/` divides by scalars.
model DivideByArrayWrong
  Real x[2] = {1, 2} / {1, 2};
end DivideByArrayWrong;
model DivideByArray
  Real x[2] = {1, 2} / 2;
end DivideByArray;
// §3.4 `^` of matrices: square matrices and Integers.
model PowerOfMatrixWrong
  parameter Real A[2, 3] = fill(1, 2, 3);
  Real B[2, 3] = A ^ 2;
end PowerOfMatrixWrong;
model PowerOfMatrix
  parameter Real A[2, 2] = fill(1, 2, 2);
  Real B[2, 2] = A ^ 2;
end PowerOfMatrix;
// §3.5 `not` takes a Boolean.
model NotOfNumberWrong
  Boolean b = not 1;
end NotOfNumberWrong;
model NotOfNumber
  Boolean b = not false;
end NotOfNumber;
// §3.5 `and` and `or` take Booleans.
model AndOfNumbersWrong
  Boolean b = 1 and true;
end AndOfNumbersWrong;
model AndOfNumbers
  Boolean b = time > 1 and true;
end AndOfNumbers;
// §3.5 Relations compare numbers, Strings, Booleans and enumerations of one type.
model CompareTypesWrong
  Boolean b = "a" < 1;
end CompareTypesWrong;
model CompareTypes
  Boolean b = "a" < "b";
end CompareTypes;
// §3.5 Relations compare scalars.
model CompareArraysWrong
  Boolean b = {1, 2} < {3, 4};
end CompareArraysWrong;
model CompareArrays
  Boolean b = 1 < 3;
end CompareArrays;
// §3.6.2 Strings are joined to Strings.
model JoinNumberWrong
  parameter String s = "a" + 1;
end JoinNumberWrong;
model JoinNumber
  parameter String s = "a" + String(1);
end JoinNumber;
// §3.6.5 Branches of an if-expression have compatible types.
model IfTypesWrong
  Real x = if time > 1 then 1 else "a";
end IfTypesWrong;
model IfTypes
  Real x = if time > 1 then 1 else 2.5;
end IfTypes;
// §3.6.5 The condition of an if-expression is Boolean.
model IfConditionWrong
  Real x = if 1 then 1 else 2;
end IfConditionWrong;
model IfCondition
  Real x = if time > 1 then 1 else 2;
end IfCondition;
// §3.7.1 Numeric functions take numbers.
model AbsOfStringWrong
  Real x = abs("a");
end AbsOfStringWrong;
model AbsOfString
  Real x = abs(-1);
end AbsOfString;
// §3.7.1 `Integer(e)` takes an enumeration.
model IntegerOfRealWrong
  Integer n = Integer("a");
end IntegerOfRealWrong;
model IntegerOfReal
  type E = enumeration(a, b);
  Integer n = Integer(E.b);
end IntegerOfReal;
// §3.7.1 `String(e)` takes scalars.
model StringOfArrayWrong
  parameter String s = String({1, 2});
end StringOfArrayWrong;
model StringOfArray
  parameter String s = String(1.5);
end StringOfArray;
// §3.7.2 Mathematical functions take one Real.
model SinTwiceWrong
  Real x = sin(1, 2);
end SinTwiceWrong;
model SinTwice
  Real x = sin(1);
end SinTwice;
// §3.7.3 `der` is not taken of an Integer.
model DerOfIntegerWrong
  Integer n = 1;
  Real x = der(n);
end DerOfIntegerWrong;
model DerOfInteger
  Real n(start = 0, fixed = true);
  Real x = der(n);
equation
  x = 1;
end DerOfInteger;
// §3.7.3 `der` has one argument.
model DerTwiceWrong
  Real y = time;
  Real x = der(y, 2);
end DerTwiceWrong;
model DerTwice
  Real y = time;
  Real x = der(y);
end DerTwice;
// §3.7.4 `edge` and `change` take variables.
model EdgeOfExpressionWrong
  Boolean b = edge(time > 1 and true);
end EdgeOfExpressionWrong;
model EdgeOfExpression
  Boolean c = time > 1;
  Boolean b = edge(c);
end EdgeOfExpression;
// §3.7.5 The interval of `sample` is a parameter expression.
model SampleIntervalWrong
  Boolean b = sample(0, time + 1);
end SampleIntervalWrong;
model SampleInterval
  Boolean b = sample(0, 1);
end SampleInterval;
// §3.7.5 `initial()` and `terminal()` have no arguments.
model InitialArgumentWrong
  Boolean b = initial(1);
end InitialArgumentWrong;
model InitialArgument
  Boolean b = initial();
end InitialArgument;
// §3.7.4 `smooth` has an Integer for its order.
model SmoothOrderWrong
  Real x = smooth(1.5, time);
end SmoothOrderWrong;
model SmoothOrder
  Real x = smooth(1, time);
end SmoothOrder;
