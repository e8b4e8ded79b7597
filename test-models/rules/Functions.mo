//! run: check --class AssignConstantWrong
//! exit: 1
//! code: MS2035 line 86
//! run: check --class AssignConstant
//! run: check --class AssignParameterWrong
//! exit: 1
//! code: MS2035 line 97
//! run: check --class AssignParameter
//! run: check --class AssignTypeWrong
//! exit: 1
//! code: MS2020 line 108
//! run: check --class AssignType
//! run: check --class AssignIteratorWrong
//! exit: 1
//! code: MS2035 line 119
//! run: check --class AssignIterator
//! run: check --class WhileNumberWrong
//! exit: 1
//! code: MS2033 line 128
//! run: check --class WhileNumber
//! run: check --class BreakOutsideWrong
//! exit: 1
//! code: MS2031 line 140
//! run: check --class BreakOutside
//! run: check --class ReturnOutsideWrong
//! exit: 1
//! code: MS2031 line 152
//! run: check --class ReturnOutside
//! run: check --class AssignInputWrong
//! exit: 1
//! code: MS2035 line 160
//! run: check --class AssignInput
//! run: check --class PlainVariableWrong
//! exit: 1
//! code: MS2031 line 169
//! run: check --class PlainVariable
//! run: check --class TwoAlgorithmsWrong
//! exit: 1
//! code: MS2031 line 178
//! run: check --class TwoAlgorithms
//! run: check --class DerInFunctionWrong
//! exit: 1
//! code: MS2031 line 187
//! run: check --class DerInFunction
//! run: check --class TimeInFunctionWrong
//! exit: 1
//! code: MS2031 line 196
//! run: check --class TimeInFunction
//! run: check --class PreInFunctionWrong
//! exit: 1
//! code: MS2031 line 205
//! run: check --class PreInFunction
//! run: check --class TooManyArgumentsWrong
//! exit: 1
//! code: MS2022 line 215
//! run: check --class TooManyArguments
//! run: check --class MissingArgumentWrong
//! exit: 1
//! code: MS2022 line 224
//! run: check --class MissingArgument
//! run: check --class ArgumentTwiceWrong
//! exit: 1
//! code: MS2022 line 233
//! run: check --class ArgumentTwice
//! run: check --class CallPartialWrong
//! exit: 1
//! code: MS2014 line 242
//! run: check --class CallPartial
//! run: check --class NoResultWrong
//! exit: 1
//! code: MS2020 line 251
//! run: check --class NoResult
//! run: check --class ConstructorFieldWrong
//! exit: 1
//! code: MS2022 line 261
//! run: check --class ConstructorField
//! run: check --class ExternalLanguageWrong
//! exit: 1
//! code: MS2031 line 269
//! run: check --class ExternalLanguage
// Functions and algorithms. Each rule is shown by a model that breaks it and one that does not.
// §11.2.1 A constant is not assigned.
model AssignConstantWrong
  constant Real c = 1;
algorithm
  c := 2;
end AssignConstantWrong;
model AssignConstant
  Real c;
algorithm
  c := 2;
end AssignConstant;
// §11.2.1 A parameter is not assigned.
model AssignParameterWrong
  parameter Real p = 1;
algorithm
  p := 2;
end AssignParameterWrong;
model AssignParameter
  Real p;
algorithm
  p := 2;
end AssignParameter;
// §11.2.1 What is assigned has the type of its target.
model AssignTypeWrong
  Integer n;
algorithm
  n := 1.5;
end AssignTypeWrong;
model AssignType
  Real n;
algorithm
  n := 1;
end AssignType;
// §11.2.2 The iterator of a loop is not assigned.
model AssignIteratorWrong
  Real x;
algorithm
  for i in 1:3 loop i := 2; x := i; end for;
end AssignIteratorWrong;
model AssignIterator
  Real x;
algorithm
  for i in 1:3 loop x := i; end for;
end AssignIterator;
// §11.2.3 The condition of `while` is Boolean.
model WhileNumberWrong
  function f input Real u; output Real y = u; algorithm while 1 loop y := y + 1; end while; end f;
  Real x = f(1);
end WhileNumberWrong;
model WhileNumber
  function f input Real u; output Real y = u; algorithm while y < 3 loop y := y + 1; end while; end f;
  Real x = f(1);
end WhileNumber;
// §11.2.4 `break` stands in a loop.
model BreakOutsideWrong
  Real x;
algorithm
  x := 1;
  break;
end BreakOutsideWrong;
model BreakOutside
  Real x;
algorithm
  for i in 1:3 loop x := i; break; end for;
end BreakOutside;
// §11.2.5 `return` stands in a function.
model ReturnOutsideWrong
  Real x;
algorithm
  x := 1;
  return;
end ReturnOutsideWrong;
model ReturnOutside
  function f input Real u; output Real y; algorithm y := u; return; end f;
  Real x = f(1);
end ReturnOutside;
// §12.2 Inputs of a function are not assigned.
model AssignInputWrong
  function f input Real u; output Real y; algorithm u := 1; y := u; end f;
  Real x = f(1);
end AssignInputWrong;
model AssignInput
  function f input Real u; output Real y; algorithm y := u; end f;
  Real x = f(1);
end AssignInput;
// §12.2 Public variables of a function are inputs or outputs.
model PlainVariableWrong
  function f input Real u; Real z; output Real y; algorithm y := u; end f;
  Real x = f(1);
end PlainVariableWrong;
model PlainVariable
  function f input Real u; output Real y; protected Real z; algorithm z := u; y := z; end f;
  Real x = f(1);
end PlainVariable;
// §12.2 A function has one algorithm.
model TwoAlgorithmsWrong
  function f input Real u; output Real y; algorithm y := u; algorithm y := 2; end f;
  Real x = f(1);
end TwoAlgorithmsWrong;
model TwoAlgorithms
  function f input Real u; output Real y; algorithm y := u; y := 2; end f;
  Real x = f(1);
end TwoAlgorithms;
// §12.2 `der` is not used in a function.
model DerInFunctionWrong
  function f input Real u; output Real y; algorithm y := der(u); end f;
  Real x = f(time);
end DerInFunctionWrong;
model DerInFunction
  function f input Real u; output Real y; algorithm y := u; end f;
  Real x = der(f(time));
end DerInFunction;
// §12.2 `time` is not used in a function.
model TimeInFunctionWrong
  function f input Real u; output Real y; algorithm y := u + time; end f;
  Real x = f(1);
end TimeInFunctionWrong;
model TimeInFunction
  function f input Real u; output Real y; algorithm y := u; end f;
  Real x = f(time);
end TimeInFunction;
// §12.2 `pre` is not used in a function.
model PreInFunctionWrong
  function f input Integer u; output Integer y; algorithm y := pre(u); end f;
  Integer x = f(1);
end PreInFunctionWrong;
model PreInFunction
  function f input Integer u; output Integer y; algorithm y := u; end f;
  Integer x = f(1);
end PreInFunction;
// §12.4.1 There are not more arguments than inputs.
model TooManyArgumentsWrong
  function f input Real u; output Real y = u; end f;
  Real x = f(1, 2);
end TooManyArgumentsWrong;
model TooManyArguments
  function f input Real u; output Real y = u; end f;
  Real x = f(1);
end TooManyArguments;
// §12.4.1 Inputs without a default have an argument.
model MissingArgumentWrong
  function f input Real u; input Real v; output Real y = u; end f;
  Real x = f(1);
end MissingArgumentWrong;
model MissingArgument
  function f input Real u; input Real v = 2; output Real y = u; end f;
  Real x = f(1);
end MissingArgument;
// §12.4.1 An argument is given once.
model ArgumentTwiceWrong
  function f input Real u; output Real y = u; end f;
  Real x = f(1, u = 2);
end ArgumentTwiceWrong;
model ArgumentTwice
  function f input Real u; output Real y = u; end f;
  Real x = f(u = 2);
end ArgumentTwice;
// §12.4.1 A partial function is not called.
model CallPartialWrong
  partial function f input Real u; output Real y; end f;
  Real x = f(1);
end CallPartialWrong;
model CallPartial
  function f input Real u; output Real y = u; end f;
  Real x = f(1);
end CallPartial;
// §12.4.3 A function without results has no value.
model NoResultWrong
  function f input Real u; algorithm assert(u > 0, "a"); end f;
  Real x = f(1);
end NoResultWrong;
model NoResult
  function f input Real u; algorithm assert(u > 0, "a"); end f;
equation
  f(1);
end NoResult;
// §12.6 A record constructor takes its fields.
model ConstructorFieldWrong
  record R Real a; end R;
  R q = R(b = 1);
end ConstructorFieldWrong;
model ConstructorField
  record R Real a; end R;
  R q = R(a = 1);
end ConstructorField;
// §12.9 The language of an external function is known.
model ExternalLanguageWrong
  function f input Real u; output Real y; external "Cobol" y = f(u); end f;
  Real x = f(1);
end ExternalLanguageWrong;
model ExternalLanguage
  function f input Real u; output Real y; external "C" y = sin(u); end f;
  Real x = f(1);
end ExternalLanguage;
