//! Expressions as text. One printer serves flat Modelica and Base Modelica; what differs is the
//! [`Dialect`]: quoting of names, the shape of comprehensions, and whether casts are shown.
//!
//! Parentheses follow OpenModelica's habit: priorities of operators, a unary minus as operand always
//! in parentheses, the right operand of `+` and `*` in parentheses when it is a sum or a quotient.

use super::number::write_real;
use crate::model::{FlatExp, FlatModel, FlatRef, Group, LocalRef};
use modeshift_base::Name;
use modeshift_inst::exp::{
    BinaryOp, Call, Callee, Exp, IfExp, Range, Reduction, Subscript, UnaryOp,
};
use modeshift_inst::ty::{Dim, EnumType, Type};
use std::fmt::{self, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Flat Modelica in OpenModelica's shape.
    Flat,
    /// Base Modelica (MCP-0031): every name of the model in quotes.
    Base,
}

/// Writes expressions of one model to `out`.
pub struct ExpPrinter<'a> {
    pub out: &'a mut dyn Write,
    pub model: &'a FlatModel,
    pub dialect: Dialect,
    /// Inputs of the current function that are functions: their calls pass boxed values.
    pub function_inputs: Vec<Name>,
    /// What a line break inside a String literal is followed by.
    pub indent: usize,
}

/// Binding strength; a larger number binds less.
type Priority = u8;
const UNARY: Priority = 4;

fn operator_priority(op: BinaryOp, left: bool) -> Priority {
    match op {
        BinaryOp::Pow | BinaryOp::PowElem | BinaryOp::MatPow => 1,
        BinaryOp::Mul | BinaryOp::MatMul | BinaryOp::Div | BinaryOp::DivElem => 2,
        BinaryOp::MulElem => {
            if left {
                2
            } else {
                3
            }
        }
        BinaryOp::Add | BinaryOp::AddElem => {
            if left {
                5
            } else {
                6
            }
        }
        BinaryOp::Sub | BinaryOp::SubElem => 5,
        BinaryOp::Less
        | BinaryOp::LessEq
        | BinaryOp::Greater
        | BinaryOp::GreaterEq
        | BinaryOp::Equal
        | BinaryOp::NotEqual => 6,
        BinaryOp::And => 8,
        BinaryOp::Or => 9,
    }
}

fn priority(exp: &FlatExp, left: bool) -> Priority {
    match exp {
        Exp::Int(value) if *value < 0 => UNARY,
        Exp::Real(value) if *value < 0.0 => UNARY,
        Exp::Unary(UnaryOp::Neg, _) => UNARY,
        Exp::Unary(UnaryOp::Not, _) => 7,
        Exp::Binary(op, _) => operator_priority(*op, left),
        Exp::Range(_) => 10,
        Exp::If(_) => 11,
        _ => 0,
    }
}

pub fn operator_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul | BinaryOp::MatMul => " * ",
        BinaryOp::Div => " / ",
        BinaryOp::Pow | BinaryOp::MatPow => " ^ ",
        BinaryOp::AddElem => " .+ ",
        BinaryOp::SubElem => " .- ",
        BinaryOp::MulElem => " .* ",
        BinaryOp::DivElem => " ./ ",
        BinaryOp::PowElem => " .^ ",
        BinaryOp::And => " and ",
        BinaryOp::Or => " or ",
        BinaryOp::Less => " < ",
        BinaryOp::LessEq => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterEq => " >= ",
        BinaryOp::Equal => " == ",
        BinaryOp::NotEqual => " <> ",
    }
}

fn is_associative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or
    )
}

impl ExpPrinter<'_> {
    pub fn exp(&mut self, exp: &FlatExp) -> fmt::Result {
        match exp {
            Exp::Int(value) => write!(self.out, "{value}"),
            Exp::Real(value) => write_real(self.out, *value),
            Exp::Bool(value) => write!(self.out, "{value}"),
            Exp::Str(text) => self.string(text),
            Exp::Enum(ty, index) => self.literal(ty, *index),
            Exp::Time => self.out.write_str("time"),
            Exp::Ref(reference) => self.reference(reference),
            Exp::Iterator(name) => self.name(name.as_str()),
            Exp::Array(elements, _) => self.list("{", elements, "}"),
            Exp::Range(range) => self.range(range),
            Exp::Tuple(elements) => self.tuple(elements),
            Exp::Record(ty, fields) => self.record(ty, fields),
            Exp::Call(call) => self.call(call),
            Exp::Reduction(reduction) => self.reduction(reduction),
            Exp::Unary(op, operand) => self.unary(*op, operand),
            Exp::Binary(op, operands) => {
                self.operand(&operands.0, *op, true)?;
                self.out.write_str(operator_text(*op))?;
                self.operand(&operands.1, *op, false)
            }
            Exp::If(branches) => self.if_(branches),
            Exp::Cast(ty, operand) => self.cast(ty, operand),
            Exp::Subscripted(operand, subscripts) => {
                if priority(operand, true) > 0 {
                    self.parenthesised(operand)?;
                } else {
                    self.exp(operand)?;
                }
                let separator = if matches!(**operand, Exp::Array(..)) {
                    ","
                } else {
                    ", "
                };
                self.subscripts(subscripts, separator)
            }
            Exp::TupleElement(call, index) => {
                self.exp(call)?;
                if self.dialect == Dialect::Base && *index == 1 {
                    // Where one value is wanted, a call gives its first output.
                    return Ok(());
                }
                write!(self.out, "[{index}]")
            }
            Exp::Field(operand, field) => {
                self.exp(operand)?;
                self.out.write_char('.')?;
                self.name(field.as_str())
            }
            Exp::PartialFunction(name, args, _) => self.partial_function(name, args),
            Exp::Size(operand, None) => self.list("size(", std::slice::from_ref(&**operand), ")"),
            Exp::Size(operand, Some(dimension)) => {
                self.out.write_str("size(")?;
                self.exp(operand)?;
                self.out.write_str(", ")?;
                self.exp(dimension)?;
                self.out.write_char(')')
            }
            Exp::TypeRange(dim) => self.type_range(dim),
            Exp::Error => self.out.write_str("/*error*/"),
        }
    }

    fn reference(&mut self, reference: &FlatRef) -> fmt::Result {
        let model = self.model;
        match reference {
            FlatRef::Var(id) => match model.variables.get(*id) {
                Some(variable) => self.variable_name(&variable.name, variable.stem as usize),
                None => write!(self.out, "{id:?}"),
            },
            FlatRef::Group(id) => match model.groups.get(*id) {
                Some(group) => self.variable_name(&group.name, group.stem as usize),
                None => write!(self.out, "{id:?}"),
            },
            FlatRef::Local(local) => self.local(local),
            FlatRef::Element(id, subscripts) => match model.groups.get(*id) {
                Some(group) => self.element(group, subscripts),
                None => write!(self.out, "{id:?}"),
            },
        }
    }

    fn local(&mut self, local: &LocalRef) -> fmt::Result {
        for (i, (name, subscripts)) in local.parts.iter().enumerate() {
            if i > 0 {
                self.out.write_char('.')?;
            }
            self.name(name.as_str())?;
            self.subscripts(subscripts, ",")?;
        }
        Ok(())
    }

    /// `a[i].x[j]`: the subscripts go where the group marks its open dimensions.
    fn element(&mut self, group: &Group, subscripts: &[Subscript<FlatRef>]) -> fmt::Result {
        let mut from = 0;
        let mut rest = subscripts;
        for mark in &group.marks {
            let (now, later) = rest.split_at(rest.len().min(mark.dimensions as usize));
            let part = group.name.get(from..mark.at as usize).unwrap_or_default();
            let stem = (group.stem as usize).saturating_sub(from);
            if from == 0 {
                self.variable_name(part, stem)?;
            } else {
                self.fields(part)?;
            }
            self.subscripts(now, ",")?;
            from = mark.at as usize;
            rest = later;
        }
        let part = group.name.get(from..).unwrap_or_default();
        if from == 0 {
            self.variable_name(part, group.stem as usize)?;
        } else {
            self.fields(part)?;
        }
        self.subscripts(rest, ",")
    }

    fn parenthesised(&mut self, exp: &FlatExp) -> fmt::Result {
        self.out.write_char('(')?;
        self.exp(exp)?;
        self.out.write_char(')')
    }

    fn operand(&mut self, exp: &FlatExp, op: BinaryOp, left: bool) -> fmt::Result {
        let inner = priority(exp, left);
        let outer = operator_priority(op, left);
        let same = inner == outer && inner > 0;
        // `a * (b * c)` is `a * b * c`, but `a / (b * c)` is not `a / b * c`.
        let regroups =
            is_associative(op) && matches!(exp, Exp::Binary(inner, _) if is_associative(*inner));
        let is_power = matches!(op, BinaryOp::Pow | BinaryOp::PowElem | BinaryOp::MatPow);
        let chained = self.dialect == Dialect::Base
            && left
            && matches!((op, exp), (BinaryOp::And | BinaryOp::Or, Exp::Binary(inner, _)) if *inner == op);
        let needed = matches!(exp, Exp::Unary(UnaryOp::Neg, _))
            || chained
            || (inner == UNARY && self.dialect == Dialect::Base)
            || inner > outer
            || (same && (is_power || (!left && !regroups)));
        if needed {
            self.parenthesised(exp)
        } else {
            self.exp(exp)
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &FlatExp) -> fmt::Result {
        let limit = match op {
            UnaryOp::Neg => {
                self.out.write_char('-')?;
                UNARY - 1
            }
            UnaryOp::Not => {
                self.out.write_str("not ")?;
                7
            }
        };
        if priority(operand, true) > limit {
            self.parenthesised(operand)
        } else {
            self.exp(operand)
        }
    }

    fn range(&mut self, range: &Range<FlatRef>) -> fmt::Result {
        self.range_operand(&range.start)?;
        self.out.write_char(':')?;
        if let Some(step) = &range.step {
            self.range_operand(step)?;
            self.out.write_char(':')?;
        }
        self.range_operand(&range.stop)
    }

    fn range_operand(&mut self, exp: &FlatExp) -> fmt::Result {
        let inner = priority(exp, false);
        let negative =
            inner == UNARY && (self.dialect == Dialect::Base || matches!(exp, Exp::Unary(..)));
        if negative || inner >= 10 {
            self.parenthesised(exp)
        } else {
            self.exp(exp)
        }
    }

    fn tuple(&mut self, elements: &[Option<FlatExp>]) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, element) in elements.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            match element {
                Some(element) => self.exp(element)?,
                None if self.dialect == Dialect::Flat => self.out.write_char('_')?,
                None => {}
            }
        }
        self.out.write_char(')')
    }

    fn record(&mut self, ty: &Type, fields: &[FlatExp]) -> fmt::Result {
        if let Type::Record(record) = ty {
            self.path(&record.path)?;
        }
        self.list("(", fields, ")")
    }

    fn call(&mut self, call: &Call<FlatRef>) -> fmt::Result {
        match &call.function {
            Callee::Builtin(name)
                if self.dialect == Dialect::Base && name.as_str().starts_with('$') =>
            {
                return self.internal(name.as_str(), call);
            }
            Callee::Builtin(name) if self.dialect == Dialect::Base && *name == "String" => {
                return self.text_of(&call.args);
            }
            Callee::Builtin(name)
                if matches!(name.as_str(), "transition" | "initialState" | "activeState") =>
            {
                return self.states(name.as_str(), &call.args);
            }
            Callee::Builtin(name)
                if matches!(name.as_str(), "min" | "max" | "sum" | "product")
                    && self.dialect == Dialect::Flat =>
            {
                // `min(array(e for i in r))` is `min(e for i in r)`.
                if let [Exp::Reduction(inner)] = call.args.as_slice()
                    && inner.iterators.len() == 1
                    && matches!(&inner.function, Callee::Builtin(name) if *name == "array")
                {
                    return self.nested(&call.function, &inner.body, &inner.iterators);
                }
                self.out.write_str(name.as_str())?;
            }
            Callee::Builtin(name) => self.out.write_str(name.as_str())?,
            Callee::User(name) => {
                if self
                    .function_inputs
                    .iter()
                    .any(|input| input.as_str() == &**name)
                {
                    return self.call_of_input(name, call);
                }
                self.path(name)?;
            }
        }
        self.list("(", &call.args, ")")
    }

    /// States are kept by their names.
    fn states(&mut self, function: &str, args: &[FlatExp]) -> fmt::Result {
        write!(self.out, "{function}(")?;
        for (number, arg) in args.iter().enumerate() {
            if number > 0 {
                self.out.write_str(", ")?;
            }
            match arg {
                Exp::Str(state) => self.out.write_str(state)?,
                arg => self.exp(arg)?,
            }
        }
        self.out.write_str(")")
    }

    /// Functions that the compiler invented; a quotient guarded against zero is the quotient itself.
    fn internal(&mut self, name: &str, call: &Call<FlatRef>) -> fmt::Result {
        if let ("$OMC$inStreamDiv", [quotient, _]) = (name, call.args.as_slice()) {
            return self.exp(quotient);
        }
        self.name(name)?;
        self.list("(", &call.args, ")")
    }

    /// `String(x, significantDigits = 4)`: what is not as usual is named.
    fn text_of(&mut self, args: &[FlatExp]) -> fmt::Result {
        let Some((value, options)) = args.split_first() else {
            return self.out.write_str("String()");
        };
        let names: &[&str] = match options {
            [Exp::Str(_)] => &["format"],
            [_, _, _] => &["significantDigits", "minimumLength", "leftJustified"],
            _ => &["minimumLength", "leftJustified"],
        };
        self.out.write_str("String(")?;
        self.exp(value)?;
        for (name, option) in names.iter().zip(options) {
            let usual = match *name {
                "significantDigits" => *option == Exp::Int(6),
                "minimumLength" => *option == Exp::Int(0),
                "leftJustified" => *option == Exp::Bool(true),
                _ => false,
            };
            if !usual {
                write!(self.out, ", {name} = ")?;
                self.exp(option)?;
            }
        }
        self.out.write_char(')')
    }

    /// A call of a function that was passed as argument: values cross this border boxed.
    fn call_of_input(&mut self, name: &str, call: &Call<FlatRef>) -> fmt::Result {
        if self.dialect == Dialect::Base {
            self.path(name)?;
            return self.list("(", &call.args, ")");
        }
        write!(self.out, "unbox({name}(")?;
        for (i, arg) in call.args.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.boxed(arg)?;
        }
        self.out.write_str("))")
    }

    fn boxed(&mut self, exp: &FlatExp) -> fmt::Result {
        self.out.write_char('#')?;
        self.parenthesised(exp)
    }

    fn partial_function(&mut self, name: &str, args: &[(Name, FlatExp)]) -> fmt::Result {
        if args.is_empty() {
            return self.path(name);
        }
        self.out.write_str("function ")?;
        self.path(name)?;
        self.out.write_char('(')?;
        for (i, (name, arg)) in args.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            if self.dialect == Dialect::Base {
                self.name(name.as_str())?;
                self.out.write_str(" = ")?;
                self.exp(arg)?;
            } else {
                self.boxed(arg)?;
            }
        }
        self.out.write_char(')')
    }

    fn reduction(&mut self, reduction: &Reduction<FlatRef>) -> fmt::Result {
        if self.dialect == Dialect::Flat {
            return self.nested(&reduction.function, &reduction.body, &reduction.iterators);
        }
        let is_array = matches!(&reduction.function, Callee::Builtin(name) if *name == "array");
        let braces = is_array && self.dialect == Dialect::Base;
        if braces {
            self.out.write_char('{')?;
        } else {
            match &reduction.function {
                Callee::Builtin(name) => self.out.write_str(name.as_str())?,
                Callee::User(name) => self.path(name)?,
            }
            self.out.write_char('(')?;
        }
        self.exp(&reduction.body)?;
        self.out.write_str(" for ")?;
        for (i, (name, range)) in reduction.iterators.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.name(name.as_str())?;
            self.out.write_str(" in ")?;
            self.exp(range)?;
        }
        self.out.write_char(if braces { '}' } else { ')' })
    }

    /// `sum(sum(e for i in r) for j in s)`: one iterator each, the first innermost.
    fn nested(
        &mut self,
        function: &Callee,
        body: &FlatExp,
        iterators: &[(Name, FlatExp)],
    ) -> fmt::Result {
        let Some(((name, range), inner)) = iterators.split_last() else {
            return self.exp(body);
        };
        match function {
            Callee::Builtin(name) => self.out.write_str(name.as_str())?,
            Callee::User(name) => self.path(name)?,
        }
        self.out.write_char('(')?;
        self.nested(function, body, inner)?;
        self.out.write_str(" for ")?;
        self.name(name.as_str())?;
        self.out.write_str(" in ")?;
        self.exp(range)?;
        self.out.write_char(')')
    }

    fn if_(&mut self, branches: &IfExp<FlatRef>) -> fmt::Result {
        self.out.write_str("if ")?;
        self.exp(&branches.condition)?;
        self.out.write_str(" then ")?;
        self.exp(&branches.then)?;
        self.out.write_str(" else ")?;
        self.exp(&branches.else_)
    }

    fn cast(&mut self, ty: &Type, operand: &FlatExp) -> fmt::Result {
        if self.dialect == Dialect::Base {
            // Base Modelica converts Integer to Real by itself, as Modelica does.
            return if priority(operand, true) > 0 {
                self.parenthesised(operand)
            } else {
                self.exp(operand)
            };
        }
        self.out.write_str("/*")?;
        self.type_(ty)?;
        self.out.write_str("*/")?;
        self.parenthesised(operand)
    }

    pub fn list(&mut self, open: &str, elements: &[FlatExp], close: &str) -> fmt::Result {
        self.out.write_str(open)?;
        for (i, element) in elements.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.exp(element)?;
        }
        self.out.write_str(close)
    }

    pub fn subscripts(
        &mut self,
        subscripts: &[Subscript<FlatRef>],
        separator: &str,
    ) -> fmt::Result {
        if subscripts.is_empty() {
            return Ok(());
        }
        self.out.write_char('[')?;
        for (i, subscript) in subscripts.iter().enumerate() {
            if i > 0 {
                self.out.write_str(separator)?;
            }
            match subscript {
                Subscript::All => self.out.write_char(':')?,
                Subscript::Index(exp) | Subscript::Slice(exp) => self.exp(exp)?,
            }
        }
        self.out.write_char(']')
    }

    fn string(&mut self, text: &str) -> fmt::Result {
        self.out.write_char('"')?;
        for c in text.chars() {
            match c {
                '"' => self.out.write_str("\\\"")?,
                '\\' => self.out.write_str("\\\\")?,
                '\n' if self.dialect == Dialect::Flat => {
                    self.out.write_char('\n')?;
                    for _ in 0..self.indent {
                        self.out.write_char(' ')?;
                    }
                }
                '\n' => self.out.write_str("\\n")?,
                c => self.out.write_char(c)?,
            }
        }
        self.out.write_char('"')
    }

    pub fn comment(&mut self, comment: Option<&str>) -> fmt::Result {
        if let Some(comment) = comment {
            self.out.write_char(' ')?;
            self.string(comment)?;
        }
        Ok(())
    }

    fn literal(&mut self, ty: &EnumType, index: u32) -> fmt::Result {
        match self.dialect {
            Dialect::Flat => {
                let root = if self.model.classic {
                    ""
                } else {
                    &self.model.name
                };
                let path = crate::lower::enum_path(&ty.path, root);
                self.out.write_str(path)?;
            }
            Dialect::Base => self.path(&ty.path)?,
        }
        self.out.write_char('.')?;
        match ty.literals.get(index.wrapping_sub(1) as usize) {
            Some(name) => self.name(name.as_str()),
            None => write!(self.out, "/*{index}*/"),
        }
    }

    fn type_range(&mut self, dim: &Dim) -> fmt::Result {
        match dim {
            Dim::Boolean => self.out.write_str("{false, true}"),
            Dim::Enumeration(ty) => {
                self.out.write_char('{')?;
                for i in 0..ty.literals.len() {
                    if i > 0 {
                        self.out.write_str(", ")?;
                    }
                    self.literal(ty, i as u32 + 1)?;
                }
                self.out.write_char('}')
            }
            Dim::Known(n) => write!(self.out, "1:{n}"),
            Dim::Flexible(_) => self.out.write_char(':'),
        }
    }

    /// A type as it stands before a name: `Real[:, 3]`, `enumeration(a, b)`.
    pub fn type_(&mut self, ty: &Type) -> fmt::Result {
        match ty {
            Type::Real => self.out.write_str("Real"),
            Type::Integer => self.out.write_str("Integer"),
            Type::Boolean => self.out.write_str("Boolean"),
            Type::String => self.out.write_str("String"),
            Type::Clock => self.out.write_str("Clock"),
            Type::Enumeration(ty) if self.dialect == Dialect::Base => self.path(&ty.path),
            Type::Enumeration(ty) => self.enumeration(ty),
            Type::Record(record) => self.path(&record.path),
            Type::Function(text) => self.out.write_str(text),
            Type::External(path) => self.path(path),
            Type::Array(array) => {
                self.type_(&array.element)?;
                self.dims(&array.dims)
            }
            Type::Tuple(types) => {
                self.out.write_char('(')?;
                for (i, ty) in types.iter().enumerate() {
                    if i > 0 {
                        self.out.write_str(", ")?;
                    }
                    self.type_(ty)?;
                }
                self.out.write_char(')')
            }
            Type::NoReturn => self.out.write_str("()"),
            Type::Unknown => self.out.write_str("/*unknown*/"),
        }
    }

    fn enumeration(&mut self, ty: &EnumType) -> fmt::Result {
        self.out.write_str("enumeration(")?;
        for (i, literal) in ty.literals.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.name(literal.as_str())?;
        }
        self.out.write_char(')')
    }

    /// `[2, :]`
    pub fn dims(&mut self, dims: &[Dim]) -> fmt::Result {
        self.out.write_char('[')?;
        for (i, dim) in dims.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            match dim {
                Dim::Known(n) => write!(self.out, "{n}")?,
                Dim::Boolean => self.out.write_str("Boolean")?,
                Dim::Enumeration(ty) => self.path(&ty.path)?,
                Dim::Flexible(_) => self.out.write_char(':')?,
            }
        }
        self.out.write_char(']')
    }

    /// One identifier of the model.
    pub fn name(&mut self, name: &str) -> fmt::Result {
        match self.dialect {
            Dialect::Flat => self.out.write_str(name),
            Dialect::Base => quoted(self.out, name),
        }
    }

    /// A dotted name of a class or function; one quoted identifier in Base Modelica.
    pub fn path(&mut self, path: &str) -> fmt::Result {
        self.name(path)
    }

    /// The name of a variable; in Base Modelica its first `stem` bytes are one quoted identifier and
    /// what follows (subscripts, record fields) stays structure.
    pub fn variable_name(&mut self, name: &str, stem: usize) -> fmt::Result {
        if self.dialect == Dialect::Flat {
            return self.out.write_str(name);
        }
        let (stem, rest) = name.split_at_checked(stem).unwrap_or((name, ""));
        quoted(self.out, stem)?;
        self.fields(rest)
    }

    /// What follows the stem of a name: `.field`, `[1,2]`.
    fn fields(&mut self, mut rest: &str) -> fmt::Result {
        if self.dialect == Dialect::Flat {
            return self.out.write_str(rest);
        }
        while !rest.is_empty() {
            if let Some(field) = rest.strip_prefix('.') {
                let end = field.find(['.', '[']).unwrap_or(field.len());
                self.out.write_char('.')?;
                quoted(self.out, &field[..end])?;
                rest = &field[end..];
            } else {
                let end = rest.find(']').map_or(rest.len(), |end| end + 1);
                self.out.write_str(&rest[..end])?;
                rest = &rest[end..];
            }
        }
        Ok(())
    }
}

/// `'name'`, with quotes inside escaped.
fn quoted(out: &mut dyn Write, name: &str) -> fmt::Result {
    out.write_char('\'')?;
    // A name that is quoted already as a whole keeps its one pair of quotes.
    let whole = name.len() > 2
        && name.starts_with('\'')
        && name.ends_with('\'')
        && name.matches('\'').count() == 2;
    let inner = if whole {
        &name[1..name.len() - 1]
    } else {
        name
    };
    for c in inner.chars() {
        if c == '\'' {
            out.write_char('\\')?;
        }
        out.write_char(c)?;
    }
    out.write_char('\'')
}
