//! Values of constants and parameters that are known before simulation.

use super::calls::Calls;
use modeshift_base::{Idx, IndexVec, Name};
use modeshift_code::Shape;
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, VarId, Variable};
use modeshift_inst::builtin::{self, Binary, Unary};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Variability};
use std::sync::Arc;

/// A value known at compile time.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Real(f64),
    Int(i64),
    Bool(bool),
    /// The literal's number, from 1.
    Enum(u32),
    Str(Arc<str>),
}

impl Value {
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Enum(literal) => Some(i64::from(*literal)),
            Self::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }
}

/// The values of all constants and parameters of a flat model, `None` for everything else.
#[derive(Default)]
pub(crate) struct Constants {
    values: IndexVec<Option<Value>>,
    calls: Calls,
}

/// Expressions nested deeper than this have no value: nobody writes them, and recursion must end.
const MAX_DEPTH: u32 = 400;

impl Constants {
    /// As [`Calls::predefined`].
    pub(super) fn predefined(&self, name: &str) -> Option<Name> {
        self.calls.predefined(name)
    }

    /// Evaluates bindings in the order of their dependencies. Linear in the size of the bindings;
    /// parameters that depend on themselves have no value.
    pub(crate) fn new(flat: &FlatModel) -> Self {
        let mut this = Self {
            values: flat.variables.iter().map(|_| None).collect(),
            calls: Calls::new(flat),
        };
        let mut state = vec![0; flat.variables.len()];
        for root in flat.variables.ids() {
            this.visit(flat, root, &mut state);
        }
        this
    }

    /// Depth first with an explicit stack: a chain of ten thousand parameters must not overflow.
    fn visit(&mut self, flat: &FlatModel, root: VarId, state: &mut [u8]) {
        const DONE: u8 = 2;
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let Some(binding) = binding(&flat.variables[id]) else {
                state[id.index()] = DONE;
                stack.pop();
                continue;
            };
            match state[id.index()] {
                0 => {
                    state[id.index()] = 1;
                    self.for_each_variable(binding, &mut |dependency| {
                        if state[dependency.index()] == 0 {
                            stack.push(dependency);
                        }
                    });
                }
                1 => {
                    state[id.index()] = DONE;
                    self.values[Idx::new(id.index())] = self.evaluate(binding);
                    stack.pop();
                }
                _ => {
                    stack.pop();
                }
            }
        }
    }

    pub(crate) fn of(&self, id: VarId) -> Option<&Value> {
        self.values.get(Idx::new(id.index()))?.as_ref()
    }

    /// The value of an expression over constants and parameters.
    pub(crate) fn evaluate(&self, exp: &FlatExp) -> Option<Value> {
        self.eval(exp, 0)
    }

    fn eval(&self, exp: &FlatExp, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let eval = |exp: &FlatExp| self.eval(exp, depth + 1);
        match exp {
            Exp::Int(value) => Some(Value::Int(*value)),
            Exp::Real(value) => Some(Value::Real(*value)),
            Exp::Bool(value) => Some(Value::Bool(*value)),
            Exp::Str(text) => Some(Value::Str(text.clone())),
            Exp::Enum(_, literal) => Some(Value::Enum(*literal)),
            Exp::Ref(FlatRef::Var(id)) => self.of(*id).cloned(),
            Exp::Cast(ty, inner) => match (eval(inner)?, ty) {
                (Value::Int(value), modeshift_inst::ty::Type::Real) => {
                    Some(Value::Real(value as f64))
                }
                (value, _) => Some(value),
            },
            Exp::Unary(op, inner) => unary(*op, eval(inner)?),
            Exp::Binary(op, sides) => binary(*op, eval(&sides.0)?, &eval(&sides.1)?),
            Exp::If(branch) => match eval(&branch.condition)? {
                Value::Bool(true) => eval(&branch.then),
                Value::Bool(false) => eval(&branch.else_),
                _ => None,
            },
            Exp::Call(call) => {
                let name = match &call.function {
                    Callee::Builtin(name) => name,
                    Callee::User(name) if self.calls.knows(name) => {
                        let args = call.args.iter().map(|arg| self.numbers(arg, depth + 1));
                        let args: Vec<(Shape, Vec<f64>)> = args.collect::<Option<_>>()?;
                        return self.calls.value(name, &args, &call.ty);
                    }
                    Callee::User(name) => return self.looked_up(name, &call.args, depth + 1),
                };
                let args: Vec<Value> = call.args.iter().map(eval).collect::<Option<_>>()?;
                builtin(name.as_str(), &args)
            }
            _ => None,
        }
    }

    /// The value of a call that looks a table up.
    fn looked_up(&self, name: &str, args: &[FlatExp], depth: u32) -> Option<Value> {
        let ([matrix, columns, smoothness], column, u) = self.calls.looked_up(name, args)?;
        let column = self.eval(column, depth)?.integer()?;
        let (_, columns) = self.numbers(columns, depth)?;
        let column = *columns.get(usize::try_from(column).ok()?.checked_sub(1)?)?;
        let linear = self.eval(smoothness, depth) == Some(Value::Enum(1));
        let rows = self.numbers(matrix, depth)?;
        // The argument does not matter where there is one row.
        let u = self.eval(u, depth).and_then(|u| u.number());
        let one = matches!(&rows.0, Shape::Leaf(dims) if dims.first() == Some(&1));
        let u = if one { u.unwrap_or(0.0) } else { u? };
        let column = (column as usize).checked_sub(1)?;
        super::calls::interpolated(&rows, column, linear, u).map(Value::Real)
    }

    /// The numbers of an argument: arrays row by row.
    fn numbers(&self, exp: &FlatExp, depth: u32) -> Option<(Shape, Vec<f64>)> {
        let number = |value: &Value| value.number().or_else(|| Some(value.integer()? as f64));
        match exp {
            Exp::Array(items, _) if depth <= MAX_DEPTH => {
                let mut all = Vec::new();
                let mut element = None;
                for item in items {
                    let (Shape::Leaf(dims), numbers) = self.numbers(item, depth + 1)? else {
                        return None;
                    };
                    all.extend(numbers);
                    element.get_or_insert(dims);
                }
                let mut dims = vec![items.len()];
                dims.extend(element?);
                Some((Shape::Leaf(dims), all))
            }
            Exp::Cast(_, inner) if matches!(**inner, Exp::Array(..) | Exp::Ref(_)) => {
                self.numbers(inner, depth + 1)
            }
            Exp::Ref(FlatRef::Group(group)) => {
                let (shape, members) = self.calls.members(*group)?;
                let numbers = members.iter().map(|&id| number(self.of(id)?));
                Some((shape.clone(), numbers.collect::<Option<_>>()?))
            }
            _ => Some((Shape::SCALAR, vec![number(&self.eval(exp, depth + 1)?)?])),
        }
    }

    /// Calls `visit` for every scalar variable in an expression that can have a compile-time value.
    /// Explicit stack, linear.
    fn for_each_variable(&self, exp: &FlatExp, visit: &mut impl FnMut(VarId)) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Ref(FlatRef::Var(id)) => visit(*id),
                Exp::Ref(FlatRef::Group(group)) => {
                    let members = self.calls.members(*group);
                    let members = members.into_iter().flat_map(|(_, members)| members);
                    members.copied().for_each(&mut *visit);
                }
                Exp::Cast(_, inner) | Exp::Unary(_, inner) => stack.push(inner),
                Exp::Binary(_, sides) => stack.extend([&sides.0, &sides.1]),
                Exp::If(branch) => stack.extend([&branch.condition, &branch.then, &branch.else_]),
                Exp::Call(call) => stack.extend(&call.args),
                Exp::Array(items, _) => stack.extend(items),
                _ => {}
            }
        }
    }
}

/// The binding that counts, if the variable is a constant or a parameter. A parameter without a
/// binding takes its start value, as Modelica tools do (with a warning).
fn binding(variable: &Variable) -> Option<&FlatExp> {
    if variable.variability > Variability::Parameter || variable.causality == Some(Causality::Input)
    {
        return None;
    }
    let start = || {
        variable
            .attributes
            .iter()
            .find(|attribute| attribute.name == "start")
            .map(|attribute| &attribute.value)
    };
    variable.binding.as_ref().or_else(start)
}

fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    match (op, value) {
        (UnaryOp::Neg, Value::Int(value)) => Some(Value::Int(value.checked_neg()?)),
        (UnaryOp::Neg, Value::Real(value)) => Some(Value::Real(-value)),
        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Value, right: &Value) -> Option<Value> {
    use BinaryOp as B;
    match (op, &left, right) {
        (B::And, Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(*a && *b)),
        (B::Or, Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(*a || *b)),
        (B::Equal, a, b) if a.number().is_none() => Some(Value::Bool(a == b)),
        (B::NotEqual, a, b) if a.number().is_none() => Some(Value::Bool(a != b)),
        (_, Value::Int(a), Value::Int(b)) => integers(op, *a, *b),
        (_, Value::Enum(a), Value::Enum(b)) => {
            compare(op, i64::from(*a).partial_cmp(&i64::from(*b))?)
        }
        _ => reals(op, left.number()?, right.number()?),
    }
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    use BinaryOp as B;
    match op {
        B::Add | B::AddElem => a.checked_add(b).map(Value::Int),
        B::Sub | B::SubElem => a.checked_sub(b).map(Value::Int),
        B::Mul | B::MulElem => a.checked_mul(b).map(Value::Int),
        _ => reals(op, a as f64, b as f64),
    }
}

fn reals(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
    use BinaryOp as B;
    let value = match op {
        B::Add | B::AddElem => a + b,
        B::Sub | B::SubElem => a - b,
        B::Mul | B::MulElem => a * b,
        B::Div | B::DivElem => a / b,
        B::Pow | B::PowElem => builtin::power(a, b),
        _ => return compare(op, a.partial_cmp(&b)?),
    };
    value.is_finite().then_some(Value::Real(value))
}

fn compare(op: BinaryOp, order: std::cmp::Ordering) -> Option<Value> {
    use BinaryOp as B;
    let truth = match op {
        B::Less => order.is_lt(),
        B::LessEq => order.is_le(),
        B::Greater => order.is_gt(),
        B::GreaterEq => order.is_ge(),
        B::Equal => order.is_eq(),
        B::NotEqual => order.is_ne(),
        _ => return None,
    };
    Some(Value::Bool(truth))
}

fn builtin(name: &str, args: &[Value]) -> Option<Value> {
    let real = |value: f64| value.is_finite().then_some(Value::Real(value));
    match (name, args) {
        ("noEvent" | "pre", [value]) => Some(value.clone()),
        ("smooth", [_, value]) => Some(value.clone()),
        ("homotopy", [value, _]) => Some(value.clone()),
        ("Integer", [value]) => value.integer().map(Value::Int),
        ("abs", [Value::Int(value)]) => value.checked_abs().map(Value::Int),
        ("max", [Value::Int(a), Value::Int(b)]) => Some(Value::Int(*a.max(b))),
        ("min", [Value::Int(a), Value::Int(b)]) => Some(Value::Int(*a.min(b))),
        ("sign", [value]) => {
            let value = value.number()?;
            Some(Value::Int(i64::from(value > 0.0) - i64::from(value < 0.0)))
        }
        ("integer", [value]) => Some(Value::Int(value.number()?.floor() as i64)),
        (_, [value]) => {
            let (op, x) = (Unary::named(name)?, value.number()?);
            real(op.apply(x))
        }
        (_, [a, b]) => {
            let op = Binary::named(name)?;
            if let (Value::Int(a), Value::Int(b), true) = (a, b, op.divides()) {
                return op.integer(*a, *b).map(Value::Int);
            }
            let (a, b) = (a.number()?, b.number()?);
            let undefined = op.divides() && b == 0.0;
            real(op.apply(a, b)).filter(|_| !undefined)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, builtin};

    #[test]
    fn integer_division_rounds_as_modelica_says() {
        let of = |name: &str, a, b| match builtin(name, &[Value::Int(a), Value::Int(b)]) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        };
        for (a, b, div, rem, modulo) in [
            (7, 3, 2, 1, 1),
            (-7, 3, -2, -1, 2),
            (7, -3, -2, 1, -2),
            (-7, -3, 2, -1, -1),
            (6, -3, -2, 0, 0),
        ] {
            assert_eq!(of("div", a, b), Some(div), "div({a}, {b})");
            assert_eq!(of("rem", a, b), Some(rem), "rem({a}, {b})");
            assert_eq!(of("mod", a, b), Some(modulo), "mod({a}, {b})");
        }
        assert_eq!(of("mod", 1, 0), None);
        assert_eq!(of("div", i64::MIN, -1), None);
        assert_eq!(of("mod", i64::MIN, -1), None);
    }
}
