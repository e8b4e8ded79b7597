// SYNTAX TEST "source.modelica" "keywords, classes and guards"

model Clutch "Two shafts"
// <----- storage.type.class.modelica
//    ^^^^^^ entity.name.type.class.modelica
//           ^^^^^^^^^^^^ string.quoted.double.modelica
  parameter Real j1 = 1.5e-3;
//^^^^^^^^^ storage.modifier.modelica
//          ^^^^ support.type.modelica
//                    ^^^^^^ constant.numeric.modelica
initial equation
// <---------------- keyword.other.section.modelica
  der(w) = if pre(g) and not true then 'a b' else f(time);
//^^^ support.function.modelica
//         ^^ keyword.control.modelica
//            ^^^ support.function.modelica
//                   ^^^ keyword.operator.logical.modelica
//                           ^^^^ constant.language.modelica
//                                     ^^^^^ variable.other.quoted.modelica
//                                                ^ entity.name.function.modelica
//                                                  ^^^^ variable.language.modelica
end Clutch;
// <--- keyword.control.end.modelica
//  ^^^^^^ entity.name.type.class.modelica
