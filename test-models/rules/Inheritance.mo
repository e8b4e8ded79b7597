//! run: check --class EncapsulatedWrong
//! exit: 1
//! code: MS2001 line 53
//! run: check --class Encapsulated
//! run: check --class VariableAroundWrong
//! exit: 1
//! code: MS2025 line 64
//! run: check --class VariableAround
//! run: check --class UnknownElementWrong
//! exit: 1
//! code: MS2004 line 76
//! run: check --class UnknownElement
//! run: check --class ExtendComponentWrong
//! exit: 1
//! code: MS2003 line 86
//! run: check --class ExtendComponent
//! run: check --class InheritedAgainWrong
//! exit: 1
//! code: MS2005 line 96
//! run: check --class InheritedAgain
//! run: check --class ExtendFunctionWrong
//! exit: 1
//! code: MS2015 line 105
//! run: check --class ExtendFunction
//! run: check --class ModifyNothingWrong
//! exit: 1
//! code: MS2006 line 114
//! run: check --class ModifyNothing
//! run: check --class ModifyVariableWrong
//! exit: 1
//! code: MS2006 line 122
//! run: check --class ModifyVariable
//! run: check --class ArrayModifierWrong
//! exit: 1
//! code: MS2024 line 130
//! run: check --class ArrayModifier
//! run: check --class RedeclareAsComponentWrong
//! exit: 1
//! code: MS2011 line 140
//! run: check --class RedeclareAsComponent
//! run: check --class DefaultFitsWrong
//! exit: 1
//! code: MS2011 line 151
//! run: check --class DefaultFits
//! run: check --class RedeclareConstantWrong
//! exit: 1
//! code: MS2011 line 161
//! run: check --class RedeclareConstant
// Lookup, inheritance, modification and redeclaration. Each rule is shown by a model that breaks it and one that does not.
// §5.2 `encapsulated` hides what is around.
model EncapsulatedWrong
  constant Real c = 1;
  encapsulated model M Real x = c; end M;
  M m;
end EncapsulatedWrong;
model Encapsulated
  constant Real c = 1;
  model M Real x = c; end M;
  M m;
end Encapsulated;
// §5.3.1 Variables of classes around are not used.
model VariableAroundWrong
  Real v = 1;
  model M Real x = v; end M;
  M m;
end VariableAroundWrong;
model VariableAround
  constant Real v = 1;
  model M Real x = v; end M;
  M m;
end VariableAround;
// §5.3.2 A component has no such element.
model UnknownElementWrong
  model M Real x = 1; end M;
  M m;
  Real y = m.z;
end UnknownElementWrong;
model UnknownElement
  model M Real x = 1; end M;
  M m;
  Real y = m.x;
end UnknownElement;
// §7.1 A component is not extended.
model ExtendComponentWrong
  Real x = 1;
  extends x;
end ExtendComponentWrong;
model ExtendComponent
  model B Real x = 1; end B;
  extends B;
end ExtendComponent;
// §7.1 What is inherited is not declared again differently.
model InheritedAgainWrong
  model B Real x = 1; end B;
  extends B;
  Real x = 2;
end InheritedAgainWrong;
model InheritedAgain
  model B Real x = 1; end B;
  extends B;
end InheritedAgain;
// §7.1.3 A model does not extend a function.
model ExtendFunctionWrong
  function f input Real x; output Real y = x; end f;
  extends f;
end ExtendFunctionWrong;
model ExtendFunction
  record f Real x = 1; end f;
  extends f;
end ExtendFunction;
// §7.2 A modifier names an element of the class.
model ModifyNothingWrong
  model B Real x = 1; end B;
  B b(z = 2);
end ModifyNothingWrong;
model ModifyNothing
  model B Real x = 1; end B;
  B b(x = 2);
end ModifyNothing;
// §7.2 A modifier of a variable that has none of that name.
model ModifyVariableWrong
  Real x(y = 1) = 2;
end ModifyVariableWrong;
model ModifyVariable
  Real x(start = 1) = 2;
end ModifyVariable;
// §7.2.5 Values of an array have its size.
model ArrayModifierWrong
  model B Real x; end B;
  B b[2](x = {1, 2, 3});
end ArrayModifierWrong;
model ArrayModifier
  model B Real x; end B;
  B b[2](x = {1, 2});
end ArrayModifier;
// §7.3 A class is redeclared by a class.
model RedeclareAsComponentWrong
  model B replaceable model K = C; K k; end B;
  model C Real x = 1; end C;
  extends B(redeclare Real K);
end RedeclareAsComponentWrong;
model RedeclareAsComponent
  model B replaceable model K = C; K k; end B;
  model C Real x = 1; end C;
  extends B(redeclare model K = C);
end RedeclareAsComponent;
// §7.3.2 A default fits its constraining type.
model DefaultFitsWrong
  model A Real x = 1; end A;
  model B Real y = 1; end B;
  replaceable B b constrainedby A;
end DefaultFitsWrong;
model DefaultFits
  model A Real x = 1; end A;
  model B Real x = 2; Real y = 1; end B;
  replaceable B b constrainedby A;
end DefaultFits;
// §7.3.3 A constant is not redeclared.
model RedeclareConstantWrong
  model B replaceable constant Real c = 1; end B;
  extends B(redeclare constant Real c = 2);
end RedeclareConstantWrong;
model RedeclareConstant
  model B replaceable parameter Real c = 1; end B;
  extends B(redeclare parameter Real c = 2);
end RedeclareConstant;
