//! Scalar expressions over numbers.
//!
//! `abs`, `sign`, `min`, `max` and the like stay functions: they have kinks, but the structure of the
//! equations does not change with them, so they make no modes. The same holds for if-expressions inside
//! `noEvent` and `smooth` whose branches read the same variables.

use super::collect::is_builtin;
use super::constants::Value;
use super::finish::known_before;
use super::logic::relation;
use super::{Bound, Lower};
use crate::cond::Conds;
use crate::incidence::reads_the_same;
use crate::model::Meaning;
use crate::sym::{At, CondId, Expr, Func, Kind, Rational, VarRef, map_leaves, time_derivative};
use modeshift_base::Name;
use modeshift_flat::model::{self as flat, FlatExp, FlatRef};
use modeshift_flat::walk::walk;
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, IfExp, UnaryOp};

impl Lower<'_> {
    /// A scalar expression. Booleans and enumerations come as values that functions can take.
    pub(super) fn number(&mut self, exp: &FlatExp) -> Expr {
        self.deeper(|this| this.number_inner(exp))
            .unwrap_or_else(Expr::zero)
    }

    fn number_inner(&mut self, exp: &FlatExp) -> Expr {
        match exp {
            Exp::Int(value) => Expr::int(*value),
            Exp::Real(value) => self.literal_number(*value),
            Exp::Bool(value) => Expr::new(Kind::Cond(Conds::constant(*value))),
            Exp::Str(text) => Expr::new(Kind::Text(Name::new(text))),
            Exp::Enum(_, literal) => Expr::int(i64::from(*literal)),
            Exp::Time => Expr::time(),
            Exp::Ref(FlatRef::Var(id)) => self.value_of(*id),
            Exp::Cast(_, inner) => self.number(inner),
            Exp::Unary(UnaryOp::Neg, _) | Exp::Binary(BinaryOp::Add | BinaryOp::Sub, _) => {
                self.sum(exp)
            }
            Exp::Binary(BinaryOp::AddElem | BinaryOp::SubElem, _) => self.sum(exp),
            Exp::Binary(op, sides) => self.binary(*op, sides, exp),
            Exp::Unary(UnaryOp::Not, _) => {
                let condition = self.cond(exp);
                Expr::new(Kind::Cond(condition))
            }
            Exp::If(branch) => self.if_number(branch),
            Exp::Call(call) => self.call_value(call),
            Exp::Reduction(_) => self.no_number("a reduction that could not be unrolled"),
            Exp::Range(_) | Exp::Array(..) | Exp::Record(..) | Exp::Tuple(_) => {
                self.no_number("an array or a record where a number is expected")
            }
            Exp::Subscripted(inner, subscripts) => self.element_of_call(inner, subscripts),
            Exp::TupleElement(inner, output) => self.output_of_call(inner, *output),
            Exp::Field(inner, field) => {
                let whole = self.number(inner);
                named_part(&whole, field.as_str()).unwrap_or(whole)
            }
            Exp::Ref(FlatRef::Element(group, subscripts)) => self.element(*group, subscripts),
            Exp::Ref(FlatRef::Group(group)) => {
                let name = self.flat.groups[*group].name.clone();
                self.no_number(&format!(
                    "the array or record `{name}` where a number is expected"
                ))
            }
            Exp::Ref(FlatRef::Local(_)) => self.no_number("a local variable of a function"),
            Exp::Iterator(name) => match self.iterator(*name) {
                Some(value) => Expr::int(value),
                None => self.no_number("the iterator of a loop that could not be unrolled"),
            },
            Exp::PartialFunction(name, ..) => Expr::new(Kind::Text(Name::new(name))),
            Exp::Size(..) => self.no_number("a size that is not known"),
            Exp::TypeRange(_) => self.no_number("a type as a range"),
            // Said already.
            Exp::Error => Expr::zero(),
        }
    }

    pub(super) fn no_number(&mut self, construct: &str) -> Expr {
        self.unsupported(construct);
        Expr::zero()
    }

    fn literal_number(&mut self, value: f64) -> Expr {
        match self.decimal(value) {
            Some(value) => value,
            None => self.no_number("a number that is not finite"),
        }
    }

    /// The number as it is written. Models repeat theirs.
    fn decimal(&mut self, value: f64) -> Option<Expr> {
        if value == value.trunc() {
            return Rational::from_decimal(value).map(Expr::constant);
        }
        let known = self.decimals.entry(value.to_bits());
        let new = || Rational::from_decimal(value).map(Expr::constant);
        known.or_insert_with(new).clone()
    }

    /// The value of a scalar variable.
    pub(super) fn value_of(&mut self, id: flat::VarId) -> Expr {
        match self.env.get(&id) {
            Some(Bound::Number(value)) => return value.clone(),
            Some(Bound::Truth(condition)) => return Expr::new(Kind::Cond(*condition)),
            Some(Bound::Choice(values)) => return choice_value(&values.clone()),
            None => {}
        }
        match self.meaning(id).cloned() {
            Some(Meaning::Variable(var)) => Expr::var(var),
            Some(Meaning::Parameter(param)) => Expr::param(param),
            Some(Meaning::Mode(_) | Meaning::Derived(_)) => {
                let condition = self.truth_of(id);
                Expr::new(Kind::Cond(condition))
            }
            Some(Meaning::Family(family)) => {
                let values: Vec<(i64, CondId)> = self.out.families[family]
                    .values
                    .iter()
                    .map(|choice| (choice.value, choice.condition))
                    .collect();
                choice_value(&values)
            }
            Some(Meaning::Other) | None => self.constant_value(id),
        }
    }

    /// The left limit of a discrete variable that mode variables stand for.
    fn mode_before(&mut self, id: flat::VarId, exp: &FlatExp) -> Option<Expr> {
        match self.meaning(id).cloned()? {
            Meaning::Family(_) => {
                let values = self.choices_before(id)?;
                Some(choice_value(&values))
            }
            Meaning::Mode(_) | Meaning::Derived(_) => {
                let condition = self.left_of(exp);
                Some(Expr::new(Kind::Cond(condition)))
            }
            _ => None,
        }
    }

    /// The value of a scalar variable, whatever was assigned to it so far.
    fn value_at_all_times(&mut self, id: flat::VarId) -> Expr {
        let known = self.meaning(id).is_some();
        let bound = known.then(|| self.env.remove(&id)).flatten();
        let value = self.value_of(id);
        if let Some(bound) = bound {
            self.env.insert(id, bound);
        }
        value
    }

    fn constant_value(&mut self, id: flat::VarId) -> Expr {
        match self.constants.of(id).cloned() {
            Some(Value::Real(value)) => self.literal_number(value),
            Some(Value::Int(value)) => Expr::int(value),
            Some(Value::Enum(literal)) => Expr::int(i64::from(literal)),
            Some(Value::Bool(value)) => Expr::new(Kind::Cond(Conds::constant(value))),
            Some(Value::Str(text)) => Expr::new(Kind::Text(Name::new(&text))),
            // A string or an external object: its name says as much as we need.
            None => Expr::new(Kind::Text(Name::new(&self.flat.variables[id].name))),
        }
    }

    /// A chain of additions and subtractions, without recursion along the chain: the current balance
    /// of a node with ten thousand connections is one sum.
    fn sum(&mut self, exp: &FlatExp) -> Expr {
        let mut terms = Vec::new();
        let mut stack = vec![(exp, false)];
        while let Some((exp, negative)) = stack.pop() {
            match exp {
                Exp::Binary(BinaryOp::Add | BinaryOp::AddElem, sides) => {
                    stack.extend([(&sides.1, negative), (&sides.0, negative)]);
                }
                Exp::Binary(BinaryOp::Sub | BinaryOp::SubElem, sides) => {
                    stack.extend([(&sides.1, !negative), (&sides.0, negative)]);
                }
                Exp::Unary(UnaryOp::Neg, inner) => stack.push((inner, !negative)),
                other => {
                    let term = self.number(other);
                    terms.push(if negative { term.neg() } else { term });
                }
            }
        }
        Expr::sum(terms)
    }

    fn binary(&mut self, op: BinaryOp, sides: &(FlatExp, FlatExp), exp: &FlatExp) -> Expr {
        use BinaryOp as B;
        match op {
            B::Mul | B::MulElem => self.product(exp),
            B::Div | B::DivElem => {
                let (a, b) = (self.number(&sides.0), self.number(&sides.1));
                a.div(&b)
            }
            B::Pow | B::PowElem => {
                let base = self.number(&sides.0);
                let exponent = self.exponent(&sides.1);
                base.power(&exponent)
            }
            B::MatMul => self.scalar_product(sides),
            B::MatPow => self.no_number("a power of a matrix"),
            _ if relation(op).is_some() || matches!(op, B::And | B::Or) => {
                let condition = self.cond(exp);
                Expr::new(Kind::Cond(condition))
            }
            _ => self.no_number("this operator"),
        }
    }

    /// Exponents are folded when their value is known: `x^n` is a polynomial then.
    fn exponent(&mut self, exp: &FlatExp) -> Expr {
        let known = self
            .constants
            .evaluate(exp)
            .and_then(|value| value.number());
        match known.and_then(Rational::from_decimal) {
            Some(value) => Expr::constant(value),
            None => self.number(exp),
        }
    }

    fn product(&mut self, exp: &FlatExp) -> Expr {
        let mut factors = Vec::new();
        let mut stack = vec![exp];
        let known = self.constants.evaluate(exp).is_some();
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Binary(BinaryOp::Mul | BinaryOp::MulElem, sides) => {
                    stack.extend([&sides.1, &sides.0]);
                }
                other if known => factors.push(self.number(other)),
                other => factors.push(self.factor(other)),
            }
        }
        self.product_by_cases(factors)
    }

    /// A factor of a product with unknowns; zero where parameters make it zero, also in a branch of an `if`.
    fn factor(&mut self, exp: &FlatExp) -> Expr {
        if self.is_zero_by_parameters(exp) {
            return Expr::zero();
        }
        match exp {
            Exp::If(branch) if !self.no_event => {
                let condition = self.cond(&branch.condition);
                match known_before(&self.out, condition) {
                    true => self.if_with(branch, Self::factor),
                    false => self.if_number(branch),
                }
            }
            _ => self.number(exp),
        }
    }

    /// A product whose unknowns do not occur in the modes in which a factor is zero: `s*(if on then 0 else 1)` is
    /// `if on then 0 else s`. Other branches are not multiplied out, so the product grows by no more than its zeros.
    ///
    /// Only for conditions that are known at the start of an instant, as that of a switch is. An ideal diode reads the
    /// unknown that it multiplies: whether its loop has a solution is decided with all its unknowns.
    fn product_by_cases(&self, factors: Vec<Expr>) -> Expr {
        let mut rest = Vec::new();
        let mut cases = Vec::new();
        for factor in factors {
            match factor.kind() {
                Kind::If(condition, then, otherwise)
                    if then.is_zero() != otherwise.is_zero()
                        && known_before(&self.out, *condition) =>
                {
                    cases.push((*condition, then.is_zero()));
                    rest.push(if then.is_zero() { otherwise } else { then }.clone());
                }
                _ => rest.push(factor),
            }
        }
        let product = Expr::product(rest);
        let zero = Expr::zero();
        cases
            .into_iter()
            .rev()
            .fold(product, |inner, (condition, at_zero)| match at_zero {
                true => if_else(condition, &zero, &inner),
                false => if_else(condition, &inner, &zero),
            })
    }

    /// Whether parameters make a factor zero: a resistance of zero, one minus a ratio of one. What it is multiplied by does
    /// not occur then, which is a matter of structure, so these parameters are marked.
    fn is_zero_by_parameters(&mut self, factor: &FlatExp) -> bool {
        let value = self.constants.evaluate(factor);
        if value.and_then(|value| value.number()) != Some(0.0) {
            return false;
        }
        let mut read = Vec::new();
        walk(factor, &mut |part| {
            if let Exp::Ref(FlatRef::Var(id)) = part
                && let Some(Meaning::Parameter(param)) = self.meaning(*id)
            {
                read.push(param.0 as usize);
            }
        });
        let parameters = &mut self.out.parameters;
        if read.iter().any(|&param| parameters[param].free) {
            return false;
        }
        read.into_iter()
            .for_each(|param| parameters[param].structural = true);
        true
    }

    fn if_number(&mut self, branch: &IfExp<FlatRef>) -> Expr {
        self.if_with(branch, Self::number)
    }

    /// An `if`, with the branches as `number` has them.
    fn if_with(
        &mut self,
        branch: &IfExp<FlatRef>,
        number: impl Fn(&mut Self, &FlatExp) -> Expr,
    ) -> Expr {
        if let Some(Value::Bool(value)) = self.constants.evaluate(&branch.condition) {
            return number(self, if value { &branch.then } else { &branch.else_ });
        }
        if self.no_event {
            let (then, otherwise) = (number(self, &branch.then), number(self, &branch.else_));
            if reads_the_same(&then, &otherwise) {
                let condition = self.condition_value(&branch.condition);
                return Expr::call("if", [condition, then, otherwise]);
            }
        }
        let condition = self.cond(&branch.condition);
        let (then, otherwise) = (number(self, &branch.then), number(self, &branch.else_));
        if_else(condition, &then, &otherwise)
    }

    /// A Boolean expression as a value, without making a mode variable of its relations.
    pub(super) fn condition_value(&mut self, exp: &FlatExp) -> Expr {
        match exp {
            Exp::Binary(op, sides) => match (relation(*op), op) {
                (Some(op), _) => {
                    let (lhs, rhs) = (self.number(&sides.0), self.number(&sides.1));
                    Expr::relation(op, &lhs, &rhs)
                }
                (None, BinaryOp::And | BinaryOp::Or) => {
                    let name = if *op == BinaryOp::And { "and" } else { "or" };
                    let args = [
                        self.condition_value(&sides.0),
                        self.condition_value(&sides.1),
                    ];
                    Expr::call(name, args)
                }
                _ => self.number(exp),
            },
            Exp::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition_value(inner);
                Expr::call("not", [inner])
            }
            Exp::Call(call) if is_builtin(&call.function, "noEvent") && call.args.len() == 1 => {
                self.condition_value(&call.args[0])
            }
            _ => self.number(exp),
        }
    }

    /// A function call with one number as its result.
    pub(super) fn call_value(&mut self, call: &Call<FlatRef>) -> Expr {
        match &call.function {
            Callee::Builtin(name) => self.builtin(name.as_str(), call),
            Callee::User(name) => {
                let args = self.arguments(&call.args);
                match self.constants.predefined(name) {
                    Some(same) => Expr::call(same.as_str(), args),
                    None => Expr::apply(Func::new(name), args),
                }
            }
        }
    }

    fn builtin(&mut self, name: &str, call: &Call<FlatRef>) -> Expr {
        match (name, &call.args[..]) {
            ("der", [inner]) => {
                let inner = self.number(inner);
                self.derivative(&inner)
            }
            ("pre" | "previous" | "hold", [inner]) => {
                // What a mode variable was, not what it is.
                if let Some(id) = super::as_variable(inner)
                    && let Some(before) = self.mode_before(id, inner)
                {
                    return before;
                }
                let inner = match super::as_variable(inner) {
                    Some(id) => self.value_at_all_times(id),
                    None => self.number(inner),
                };
                left_limit(&inner)
            }
            // The value of a moment ago is as known as the left limit.
            ("delay", [inner, rest @ ..]) => {
                let inner = self.number(inner);
                let mut args = vec![left_limit(&inner)];
                args.extend(rest.iter().map(|arg| self.number(arg)));
                Expr::call("delay", args)
            }
            // So is what arrives at the ends of a pipe; its position is that of now.
            ("spatialDistribution", [in0, in1, position, ..]) => {
                let ends = [in0, in1].map(|end| left_limit(&self.number(end)));
                let mut args = Vec::from(ends);
                args.push(self.number(position));
                Expr::call("spatialDistribution", args)
            }
            ("noEvent", [inner]) | ("smooth", [_, inner]) => {
                let outer = std::mem::replace(&mut self.no_event, true);
                let result = self.number(inner);
                self.no_event = outer;
                result
            }
            ("homotopy", [actual, ..]) => self.number(actual),
            ("inStream" | "actualStream", _) => self.no_number("a stream connector"),
            ("sum", [inner]) => {
                let items = self.components(inner);
                Expr::sum(items)
            }
            ("product", [inner]) => {
                let items = self.components(inner);
                Expr::product(items)
            }
            ("min" | "max", [inner]) => self.extremum(name, inner),
            ("scalar" | "Real" | "Integer", [inner]) => self.number(inner),
            ("edge" | "change" | "initial" | "terminal" | "sample", _) => {
                let condition = self.cond(&Exp::Call(Box::new(call.clone())));
                Expr::new(Kind::Cond(condition))
            }
            (
                "backSample" | "subSample" | "superSample" | "shiftSample" | "Clock" | "interval"
                | "firstTick" | "getInstanceName" | "cardinality",
                _,
            ) => self.no_number(&format!("`{name}`")),
            _ => {
                let args = self.arguments(&call.args);
                Expr::call(name, args)
            }
        }
    }

    /// `min` and `max` of an array, as a chain of the binary function.
    fn extremum(&mut self, name: &str, inner: &FlatExp) -> Expr {
        let mut items = self.components(inner).into_iter();
        match items.next() {
            Some(first) => items.fold(first, |so_far, item| Expr::call(name, [so_far, item])),
            None => Expr::zero(),
        }
    }

    pub(super) fn derivative(&mut self, expr: &Expr) -> Expr {
        if let Some(occurrence) = expr.as_var() {
            return Expr::var_ref(VarRef {
                order: occurrence.order + 1,
                ..occurrence
            });
        }
        let variables = &self.out.variables;
        time_derivative(expr, &mut |var| variables[var.0 as usize].discrete)
    }

    /// All scalars of the arguments, arrays and records written out.
    pub(super) fn arguments(&mut self, args: &[FlatExp]) -> Vec<Expr> {
        args.iter().flat_map(|arg| self.components(arg)).collect()
    }
}

/// Folds decided conditions.
pub(super) fn if_else(condition: CondId, then: &Expr, otherwise: &Expr) -> Expr {
    match condition {
        Conds::TRUE => then.clone(),
        Conds::FALSE => otherwise.clone(),
        _ => Expr::if_else(condition, then, otherwise),
    }
}

/// The value of a list of choices, the last one as the default.
fn choice_value(values: &[(i64, CondId)]) -> Expr {
    let mut values = values.iter().rev();
    let last = values
        .next()
        .map_or_else(Expr::zero, |&(value, _)| Expr::int(value));
    values.fold(last, |rest, &(value, when)| {
        if_else(when, &Expr::int(value), &rest)
    })
}

/// Every occurrence as its left limit.
pub(super) fn left_limit(expr: &Expr) -> Expr {
    map_leaves(expr, &mut |kind| match kind {
        Kind::Var(occurrence) => Some(Expr::var_ref(VarRef {
            at: At::Left,
            ..*occurrence
        })),
        _ => None,
    })
}

/// Part of a function's result as it is written behind the call: `[1,2]`, `.field`.
pub(super) fn appended(call: &Expr, part: &str) -> Expr {
    match call.kind() {
        Kind::Call(function, args) if !part.is_empty() => {
            let name = format!("{}{part}", function.name);
            Expr::apply(Func::new(&name), args.iter().cloned())
        }
        _ => call.clone(),
    }
}

/// Part of a function's result: the part's name becomes part of the function's.
pub(super) fn named_part(call: &Expr, part: &str) -> Option<Expr> {
    match call.kind() {
        Kind::Call(function, args) => {
            let name = format!("{}.{part}", function.name);
            Some(Expr::apply(Func::new(&name), args.iter().cloned()))
        }
        _ => None,
    }
}
