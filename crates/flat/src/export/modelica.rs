//! Flat Modelica in the shape OpenModelica prints it: functions first, then one class with
//! declarations, initial sections, equations and algorithms.

use super::expression::{Dialect, ExpPrinter};
use crate::model::{
    Algorithm, Attribute, Equation, EquationKind, FlatExp, FlatModel, Function, FunctionBody,
    FunctionDim, FunctionVariable, Statement, StatementKind, Variable,
};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::fmt::{self, Write};

/// Writes the whole model. Linear in its size.
pub fn write_flat(model: &FlatModel, out: &mut dyn Write) -> fmt::Result {
    let mut printer = FlatPrinter::new(model, out);
    for function in &model.functions {
        printer.function(function)?;
        printer.exp.out.write_char('\n')?;
    }
    printer.class()
}

/// The model as one text.
pub fn flat_text(model: &FlatModel) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_flat(model, &mut text);
    text
}

/// One expression as text, for messages.
pub fn exp_text(model: &FlatModel, exp: &FlatExp) -> String {
    let mut text = String::new();
    let _ = FlatPrinter::new(model, &mut text).exp.exp(exp);
    text
}

/// One equation as text, for messages.
pub fn equation_text(model: &FlatModel, equation: &Equation) -> String {
    let mut text = String::new();
    let mut printer = FlatPrinter::new(model, &mut text);
    printer.exp.indent = 0;
    let _ = printer.equation(equation);
    text.trim_end().to_owned()
}

/// Statements as text, without indentation of the outermost ones.
pub fn statements_text(model: &FlatModel, statements: &[Statement]) -> String {
    let mut text = String::new();
    let mut printer = FlatPrinter::new(model, &mut text);
    printer.exp.indent = 0;
    let _ = printer.statements(statements);
    text.trim_end().to_owned()
}

/// One function as text.
pub fn function_text(model: &FlatModel, function: &Function) -> String {
    let mut text = String::new();
    let _ = FlatPrinter::new(model, &mut text).function(function);
    text.trim_end().to_owned()
}

/// Statements and equations share their shape in both dialects.
pub(super) struct FlatPrinter<'a> {
    pub(super) exp: ExpPrinter<'a>,
}

impl<'a> FlatPrinter<'a> {
    fn new(model: &'a FlatModel, out: &'a mut dyn Write) -> Self {
        Self::with_dialect(model, out, Dialect::Flat)
    }

    pub(super) fn with_dialect(
        model: &'a FlatModel,
        out: &'a mut dyn Write,
        dialect: Dialect,
    ) -> Self {
        let exp = ExpPrinter {
            out,
            model,
            dialect,
            function_inputs: Vec::new(),
            indent: 2,
        };
        Self { exp }
    }

    fn class(&mut self) -> fmt::Result {
        let model = self.exp.model;
        write!(self.exp.out, "class {}", model.name)?;
        self.exp.comment(model.comment.as_deref())?;
        self.exp.out.write_char('\n')?;
        for variable in &model.variables {
            self.variable(variable)?;
        }
        self.equations("initial equation", &model.initial_equations)?;
        self.algorithms("initial algorithm", &model.initial_algorithms)?;
        self.equations("equation", &model.equations)?;
        self.algorithms("algorithm", &model.algorithms)?;
        writeln!(self.exp.out, "end {};", model.name)
    }

    fn variable(&mut self, variable: &Variable) -> fmt::Result {
        self.start_line()?;
        if variable.protected {
            self.exp.out.write_str("protected ")?;
        }
        if variable.final_ || variable.variability == Variability::Structural {
            self.exp.out.write_str("final ")?;
        }
        let declared = match variable.variability {
            Variability::Discrete if !variable.discrete => Variability::Continuous,
            other => other,
        };
        self.prefixes(declared, variable.causality)?;
        self.exp.type_(&variable.ty)?;
        self.exp.out.write_char(' ')?;
        self.exp.out.write_str(&variable.name)?;
        if variable.ty == Type::String {
            // OpenModelica's habit.
            let mut attributes = variable.attributes.clone();
            attributes.retain(|attribute| attribute.name != "fixed");
            self.attributes(&attributes)?;
        } else {
            self.attributes(&variable.attributes)?;
        }
        self.binding(variable.binding.as_ref())?;
        self.end_declaration(variable.comment.as_deref())
    }

    pub(super) fn prefixes(
        &mut self,
        variability: Variability,
        causality: Option<Causality>,
    ) -> fmt::Result {
        self.exp.out.write_str(match variability {
            Variability::Constant => "constant ",
            Variability::Structural | Variability::Parameter => "parameter ",
            Variability::Discrete => "discrete ",
            Variability::Continuous => "",
        })?;
        self.causality(causality)
    }

    fn causality(&mut self, causality: Option<Causality>) -> fmt::Result {
        self.exp.out.write_str(match causality {
            Some(Causality::Input) => "input ",
            Some(Causality::Output) => "output ",
            None => "",
        })
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) -> fmt::Result {
        let mut shown: Vec<&Attribute> = attributes
            .iter()
            .filter(|attribute| attribute.name != "unbounded")
            .collect();
        if shown.is_empty() {
            return Ok(());
        }
        if self.exp.dialect == Dialect::Base {
            // OpenModelica's habit.
            shown.reverse();
        }
        for (i, attribute) in shown.into_iter().enumerate() {
            self.exp.out.write_str(if i == 0 { "(" } else { ", " })?;
            write!(self.exp.out, "{} = ", attribute.name)?;
            self.exp.exp(&attribute.value)?;
        }
        self.exp.out.write_char(')')
    }

    pub(super) fn binding(&mut self, binding: Option<&FlatExp>) -> fmt::Result {
        if let Some(binding) = binding {
            self.exp.out.write_str(" = ")?;
            self.exp.exp(binding)?;
        }
        Ok(())
    }

    pub(super) fn end_declaration(&mut self, comment: Option<&str>) -> fmt::Result {
        self.exp.comment(comment)?;
        self.exp.out.write_str(";\n")
    }

    pub(super) fn start_line(&mut self) -> fmt::Result {
        for _ in 0..self.exp.indent {
            self.exp.out.write_char(' ')?;
        }
        Ok(())
    }

    /// A section header, one step to the left of what follows.
    fn header(&mut self, title: &str) -> fmt::Result {
        for _ in 2..self.exp.indent {
            self.exp.out.write_char(' ')?;
        }
        writeln!(self.exp.out, "{title}")
    }

    pub(super) fn equations(&mut self, title: &str, equations: &[Equation]) -> fmt::Result {
        if equations.is_empty() {
            return Ok(());
        }
        self.header(title)?;
        equations
            .iter()
            .try_for_each(|equation| self.equation(equation))
    }

    pub(super) fn algorithms(&mut self, title: &str, algorithms: &[Algorithm]) -> fmt::Result {
        for algorithm in algorithms {
            self.header(title)?;
            self.statements(&algorithm.statements)?;
        }
        Ok(())
    }

    fn equation(&mut self, equation: &Equation) -> fmt::Result {
        self.start_line()?;
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => {
                self.exp.exp(lhs)?;
                self.exp.out.write_str(" = ")?;
                self.exp.exp(rhs)?;
                self.exp.comment(equation.origin.comment.as_deref())?;
                self.exp.out.write_str(";\n")
            }
            EquationKind::If { branches, else_ } => {
                self.branches(["if ", "elseif "], branches, Self::equation)?;
                if !else_.is_empty() {
                    self.line("else")?;
                    self.block(else_, Self::equation)?;
                }
                self.line("end if;")
            }
            EquationKind::When { branches } => {
                self.branches(["when ", "elsewhen "], branches, Self::equation)?;
                self.line("end when;")
            }
            EquationKind::For {
                iterator,
                range,
                body,
            } => {
                self.loop_(iterator.as_str(), Some(range))?;
                self.block(body, Self::equation)?;
                self.line("end for;")
            }
            EquationKind::Assert {
                condition,
                message,
                level,
            } => self.assert(condition, message, level),
            EquationKind::Terminate { message } => self.call("terminate", &[message]),
            EquationKind::Reinit { variable, value } => self.call("reinit", &[variable, value]),
            EquationKind::Call(call) => self.call_statement(call),
        }
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) -> fmt::Result {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> fmt::Result {
        self.start_line()?;
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => {
                self.exp.exp(target)?;
                self.exp.out.write_str(" := ")?;
                self.exp.exp(value)?;
                self.exp.comment(statement.origin.comment.as_deref())?;
                self.exp.out.write_str(";\n")
            }
            StatementKind::If { branches, else_ } => {
                self.branches(["if ", "elseif "], branches, Self::statement)?;
                if !else_.is_empty() {
                    self.line("else")?;
                    self.block(else_, Self::statement)?;
                }
                self.line("end if;")
            }
            StatementKind::For {
                iterator,
                range,
                body,
            } => {
                self.loop_(iterator.as_str(), range.as_ref())?;
                self.block(body, Self::statement)?;
                self.line("end for;")
            }
            StatementKind::While { condition, body } => {
                self.exp.out.write_str("while ")?;
                self.exp.exp(condition)?;
                self.exp.out.write_str(" loop\n")?;
                self.block(body, Self::statement)?;
                self.line("end while;")
            }
            StatementKind::When { branches } => {
                self.branches(["when ", "elsewhen "], branches, Self::statement)?;
                self.line("end when;")
            }
            StatementKind::Assert {
                condition,
                message,
                level,
            } => self.assert(condition, message, level),
            StatementKind::Terminate { message } => self.call("terminate", &[message]),
            StatementKind::Reinit { variable, value } => self.call("reinit", &[variable, value]),
            StatementKind::Call(call) => self.call_statement(call),
            StatementKind::Break => self.exp.out.write_str("break;\n"),
            StatementKind::Return => self.exp.out.write_str("return;\n"),
        }
    }

    fn branches<T>(
        &mut self,
        [first, further]: [&str; 2],
        branches: &[(FlatExp, Vec<T>)],
        item: fn(&mut Self, &T) -> fmt::Result,
    ) -> fmt::Result {
        for (i, (condition, body)) in branches.iter().enumerate() {
            if i > 0 {
                self.start_line()?;
            }
            self.exp
                .out
                .write_str(if i == 0 { first } else { further })?;
            self.exp.exp(condition)?;
            self.exp.out.write_str(" then\n")?;
            self.block(body, item)?;
        }
        Ok(())
    }

    fn block<T>(&mut self, body: &[T], item: fn(&mut Self, &T) -> fmt::Result) -> fmt::Result {
        self.exp.indent += 2;
        let result = body.iter().try_for_each(|part| item(self, part));
        self.exp.indent -= 2;
        result
    }

    fn loop_(&mut self, iterator: &str, range: Option<&FlatExp>) -> fmt::Result {
        self.exp.out.write_str("for ")?;
        self.exp.name(iterator)?;
        if let Some(range) = range {
            self.exp.out.write_str(" in ")?;
            self.exp.exp(range)?;
        }
        self.exp.out.write_str(" loop\n")
    }

    fn line(&mut self, text: &str) -> fmt::Result {
        self.start_line()?;
        writeln!(self.exp.out, "{text}")
    }

    fn call(&mut self, name: &str, args: &[&FlatExp]) -> fmt::Result {
        write!(self.exp.out, "{name}(")?;
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.exp.out.write_str(", ")?;
            }
            self.exp.exp(arg)?;
        }
        self.exp.out.write_str(");\n")
    }

    fn call_statement(&mut self, call: &FlatExp) -> fmt::Result {
        self.exp.exp(call)?;
        self.exp.out.write_str(";\n")
    }

    /// In flat Modelica the level is printed only where it is not the usual one, `AssertionLevel.error`.
    fn assert(&mut self, condition: &FlatExp, message: &FlatExp, level: &FlatExp) -> fmt::Result {
        let usual = matches!(level, FlatExp::Enum(ty, index)
            if ty.literals.get(index.wrapping_sub(1) as usize).is_some_and(|literal| *literal == "error"));
        if self.exp.dialect == Dialect::Base {
            self.exp.out.write_str("assert(")?;
            self.exp.exp(condition)?;
            self.exp.out.write_str(", ")?;
            self.exp.exp(message)?;
            let level = if usual { "error" } else { "warning" };
            return writeln!(self.exp.out, ", AssertionLevel.{level});");
        }
        if usual {
            return self.call("assert", &[condition, message]);
        }
        self.call("assert", &[condition, message, level])
    }

    pub(super) fn function(&mut self, function: &Function) -> fmt::Result {
        if let FunctionBody::Derivative { of, wrt } = &function.body {
            write!(self.exp.out, "function {} = der({of}", function.name)?;
            for name in wrt {
                write!(self.exp.out, ", {name}")?;
            }
            return self.exp.out.write_str(");\n");
        }
        if !function.pure {
            self.exp.out.write_str("impure ")?;
        }
        self.exp.out.write_str("function ")?;
        self.exp.path(&function.name)?;
        self.exp.comment(function.comment.as_deref())?;
        self.exp.out.write_char('\n')?;
        self.exp.function_inputs = function_inputs(function);
        let is_constructor = matches!(function.body, FunctionBody::RecordConstructor);
        let comes_last = |variable: &&FunctionVariable| variable.protected && !is_constructor;
        let locals = function.locals.iter();
        let (last, first): (Vec<_>, Vec<_>) = locals.partition(comes_last);
        for variable in first.into_iter().chain(last) {
            self.function_variable(variable)?;
        }
        self.function_body(function)?;
        self.exp.function_inputs.clear();
        for _ in 2..self.exp.indent {
            self.exp.out.write_char(' ')?;
        }
        self.exp.out.write_str("end ")?;
        self.exp.path(&function.name)?;
        self.exp.out.write_str(";\n")
    }

    fn function_body(&mut self, function: &Function) -> fmt::Result {
        match &function.body {
            FunctionBody::Algorithm(statements) => {
                self.header("algorithm")?;
                self.statements(statements)?;
            }
            FunctionBody::External {
                language,
                name,
                args,
                output,
                ..
            } => {
                self.exp.out.write_char('\n')?;
                self.start_line()?;
                write!(self.exp.out, "external \"{language}\" ")?;
                if let Some(output) = output {
                    self.exp.exp(output)?;
                    self.exp.out.write_str(" = ")?;
                }
                self.exp.out.write_str(name)?;
                self.exp.list("(", args, ");\n")?;
            }
            FunctionBody::RecordConstructor
            | FunctionBody::Partial
            | FunctionBody::Derivative { .. } => {}
        }
        if let Some(annotation) = &function.annotation {
            self.line(&format!("annotation{annotation};"))?;
        }
        Ok(())
    }

    fn function_variable(&mut self, variable: &FunctionVariable) -> fmt::Result {
        self.start_line()?;
        if variable.protected && self.exp.dialect == Dialect::Flat {
            self.exp.out.write_str("protected ")?;
        }
        let shown = match variable.variability {
            _ if variable.causality.is_some() => Variability::Continuous,
            Variability::Discrete => Variability::Continuous,
            other => other,
        };
        self.prefixes(shown, variable.causality)?;
        match &variable.ty {
            // OpenModelica repeats the name before the signature: `input f<function>(#Real x) => #Real f`.
            Type::Function(signature) if self.exp.dialect == Dialect::Flat => {
                write!(self.exp.out, "{}<function>{signature}", variable.name)?;
            }
            ty => self.exp.type_(ty)?,
        }
        if self.exp.dialect == Dialect::Flat {
            self.function_dims(&variable.dims)?;
        }
        self.exp.out.write_char(' ')?;
        self.exp.name(variable.name.as_str())?;
        if self.exp.dialect == Dialect::Base {
            self.function_dims(&variable.dims)?;
        }
        self.attributes(&variable.attributes)?;
        self.binding(variable.binding.as_ref())?;
        self.end_declaration(variable.comment.as_deref())
    }

    fn function_dims(&mut self, dims: &[FunctionDim]) -> fmt::Result {
        for (i, dim) in dims.iter().enumerate() {
            self.exp.out.write_str(if i == 0 { "[" } else { ", " })?;
            match dim {
                FunctionDim::Known(n) => write!(self.exp.out, "{n}")?,
                FunctionDim::Boolean => self.exp.out.write_str("Boolean")?,
                FunctionDim::Enumeration(ty) => self.exp.path(&ty.path)?,
                FunctionDim::Flexible => self.exp.out.write_char(':')?,
                FunctionDim::Given(size) => self.exp.exp(size)?,
            }
        }
        if dims.is_empty() {
            return Ok(());
        }
        self.exp.out.write_char(']')
    }
}

fn function_inputs(function: &Function) -> Vec<modeshift_base::Name> {
    let is_function = |variable: &&FunctionVariable| matches!(variable.ty, Type::Function(_));
    function
        .locals
        .iter()
        .filter(is_function)
        .map(|variable| variable.name)
        .collect()
}
