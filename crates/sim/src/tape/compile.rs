//! From symbolic expressions to graphs.

use super::{Binary, Functions, Graph, Reg, Unary};
use modeshift_base::{FxHashMap, Name};
use modeshift_mdae::sym::{
    CondId, Expr, Func, Kind, ParamId, Rational, RelOp, VarRef, contains_condition,
};

/// Something that cannot be computed while simulating.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// A function that is neither built in nor made of statements we can follow, with the reason.
    Function(Name, std::sync::Arc<str>),
    Parameter(ParamId),
    /// A value that is not known where it is read.
    Variable(VarRef),
    Condition(CondId),
    /// A string where a number is needed.
    Text(Name),
}

/// Where the leaves get their values from.
pub trait Values {
    fn var(&mut self, graph: &mut Graph, occurrence: VarRef) -> Result<Reg, Unsupported>;
    fn param(&mut self, id: ParamId) -> Option<f64>;
    fn time(&mut self, graph: &mut Graph) -> Reg;
    fn cond(&mut self, graph: &mut Graph, id: CondId) -> Option<Reg>;
    /// The value of an expression some time ago.
    fn delayed(&mut self, _: &mut Graph, _: &Expr, _: f64) -> Option<Reg> {
        None
    }
}

/// Compiles expressions into one graph. Equal expressions are compiled once while the meaning of
/// variables stays the same.
pub struct Compiler<'a, V> {
    pub graph: &'a mut Graph,
    pub functions: &'a Functions,
    pub values: V,
    memo: FxHashMap<Expr, Reg>,
}

impl<'a, V: Values> Compiler<'a, V> {
    pub fn new(graph: &'a mut Graph, functions: &'a Functions, values: V) -> Self {
        Self {
            graph,
            functions,
            values,
            memo: FxHashMap::default(),
        }
    }

    /// Forgets what was compiled: variables mean something else from now on.
    pub fn forget(&mut self) {
        self.memo.clear();
    }

    pub fn expr(&mut self, expr: &Expr) -> Result<Reg, Unsupported> {
        match expr.kind() {
            Kind::Const(value) => Ok(self.graph.constant(value.to_f64())),
            Kind::Time => Ok(self.values.time(self.graph)),
            Kind::Param(id) => {
                let value = self.values.param(*id).ok_or(Unsupported::Parameter(*id))?;
                Ok(self.graph.constant(value))
            }
            Kind::Var(occurrence) => self.values.var(self.graph, *occurrence),
            Kind::Cond(id) => self.condition(*id),
            Kind::Text(text) => Err(Unsupported::Text(*text)),
            _ => {
                if let Some(&reg) = self.memo.get(expr) {
                    return Ok(reg);
                }
                let reg = self.inner(expr)?;
                self.memo.insert(expr.clone(), reg);
                Ok(reg)
            }
        }
    }

    fn condition(&mut self, id: CondId) -> Result<Reg, Unsupported> {
        self.values
            .cond(self.graph, id)
            .ok_or(Unsupported::Condition(id))
    }

    fn inner(&mut self, expr: &Expr) -> Result<Reg, Unsupported> {
        match expr.kind() {
            Kind::Sum(terms) => self.sum(terms),
            Kind::Prod(factors) => self.product(factors),
            Kind::Pow(base, exponent) => {
                let base = self.expr(base)?;
                Ok(self.power(base, exponent))
            }
            Kind::Call(function, args) => self.call(function, args),
            Kind::If(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                // A decided condition hides what the other branch cannot compute.
                match self.graph.value(condition) {
                    Some(value) if value != 0.0 => self.expr(then),
                    Some(_) => self.expr(otherwise),
                    None => {
                        let (then, otherwise) = (self.expr(then)?, self.expr(otherwise)?);
                        Ok(self.graph.select(condition, then, otherwise))
                    }
                }
            }
            Kind::Relation(op, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Ok(self.graph.compare(*op, left, right))
            }
            // Leaves were answered by `expr`.
            _ => Ok(self.graph.constant(f64::NAN)),
        }
    }

    fn sum(&mut self, terms: &[Expr]) -> Result<Reg, Unsupported> {
        let mut sum = self.graph.constant(0.0);
        for term in terms {
            let term = self.expr(term)?;
            sum = self.graph.add(sum, term);
        }
        Ok(sum)
    }

    /// Factors with negative powers become one denominator: `a/b` is a division, not a product with `1/b`.
    fn product(&mut self, factors: &[Expr]) -> Result<Reg, Unsupported> {
        let mut top = self.graph.constant(1.0);
        let mut bottom = top;
        for factor in factors {
            match factor.kind() {
                Kind::Pow(base, exponent) if exponent.to_f64() < 0.0 => {
                    let base = self.expr(base)?;
                    let value = self.power(base, &-exponent);
                    bottom = self.graph.mul(bottom, value);
                }
                _ => {
                    let value = self.expr(factor)?;
                    top = self.graph.mul(top, value);
                }
            }
        }
        Ok(self.graph.div(top, bottom))
    }

    fn power(&mut self, base: Reg, exponent: &Rational) -> Reg {
        if let Some(n) = exponent.to_i64().and_then(|n| i32::try_from(n).ok()) {
            return self.graph.power(base, n);
        }
        let small = exponent.to_small();
        let root = match small {
            Some((_, 2)) => self.graph.unary(Unary::Sqrt, base),
            Some((_, 3)) => self.graph.unary(Unary::Cbrt, base),
            _ => return self.general_power(base, exponent),
        };
        match small.and_then(|(n, _)| i32::try_from(n).ok()) {
            Some(n) => self.graph.power(root, n),
            None => self.general_power(base, exponent),
        }
    }

    /// Odd roots of negative numbers are real.
    fn general_power(&mut self, base: Reg, exponent: &Rational) -> Reg {
        let number = self.graph.constant(exponent.to_f64());
        match exponent.to_small() {
            Some((n, d)) if d % 2 == 1 => {
                let size = self.graph.unary(Unary::Abs, base);
                let power = self.graph.binary(Binary::Pow, size, number);
                if n % 2 == 0 {
                    return power;
                }
                let sign = self.graph.unary(Unary::Sign, base);
                self.graph.mul(sign, power)
            }
            _ => self.graph.binary(Binary::Pow, base, number),
        }
    }

    fn call(&mut self, function: &Func, args: &[Expr]) -> Result<Reg, Unsupported> {
        let name = function.name.as_str();
        if function.partials.is_empty() {
            match (name, args) {
                ("indicator", [arg]) => return self.expr(arg),
                ("element", [index, elements @ ..]) if !elements.is_empty() => {
                    return self.element(index, elements);
                }
                ("delay", [inner, time, ..]) => return self.delay(function.name, inner, time),
                ("semiLinear", [x, rising, falling]) => {
                    let (x, zero) = (self.expr(x)?, self.graph.constant(0.0));
                    let (a, b) = (self.expr(rising)?, self.expr(falling)?);
                    let positive = self.graph.compare(RelOp::GreaterEqual, x, zero);
                    let slope = self.graph.select(positive, a, b);
                    return Ok(self.graph.mul(slope, x));
                }
                ("if", [condition, then, otherwise]) => {
                    let condition = self.expr(condition)?;
                    let (then, otherwise) = (self.expr(then)?, self.expr(otherwise)?);
                    return Ok(self.graph.select(condition, then, otherwise));
                }
                _ => {}
            }
        }
        let mut regs = Vec::with_capacity(args.len());
        for arg in args {
            regs.push(match arg.kind() {
                // Names of functions and files: the function decides what to make of them.
                Kind::Text(_) => self.graph.constant(Functions::NO_NUMBER),
                _ => self.expr(arg)?,
            });
        }
        if function.partials.is_empty() {
            return self.apply(function.name, &regs);
        }
        // Arguments get names of their own, so that the derivative is by them alone.
        let seeds: Vec<Reg> = regs.iter().map(|&reg| self.graph.copy(reg)).collect();
        let mut value = self.apply(function.name, &seeds)?;
        for &argument in &function.partials {
            let Some(&seed) = seeds.get(usize::from(argument)) else {
                return Err(Unsupported::Function(
                    function.name,
                    "its derivative is not known".into(),
                ));
            };
            let slope = self.graph.derivatives(&[value], &[seed])[0][0];
            value = match slope {
                Some(reg) => reg,
                None => self.graph.constant(0.0),
            };
        }
        Ok(value)
    }

    fn delay(&mut self, name: Name, inner: &Expr, time: &Expr) -> Result<Reg, Unsupported> {
        let time = self.expr(time)?;
        let time = self.graph.value(time);
        let time =
            time.ok_or_else(|| Unsupported::Function(name, "the delay changes with time".into()))?;
        if time < 0.0 {
            let why = format!("its time is {time}, and must be at least 0");
            return Err(Unsupported::Function(name, why.into()));
        }
        if time <= 0.0 {
            return self.expr(inner);
        }
        if contains_condition(inner) {
            let why = "what is delayed depends on a condition; give it a name of its own";
            return Err(Unsupported::Function(name, why.into()));
        }
        let reg = self.values.delayed(self.graph, inner, time);
        reg.ok_or_else(|| Unsupported::Function(name, "there is no past here".into()))
    }

    /// One of the elements, counted from 1; no number for an index beyond.
    fn element(&mut self, index: &Expr, elements: &[Expr]) -> Result<Reg, Unsupported> {
        let index = self.expr(index)?;
        let mut chosen = self.graph.constant(f64::NAN);
        for (i, element) in elements.iter().enumerate().rev() {
            let element = self.expr(element)?;
            let number = self.graph.constant((i + 1) as f64);
            let here = self.graph.compare(RelOp::Equal, index, number);
            chosen = self.graph.select(here, element, chosen);
        }
        Ok(chosen)
    }

    fn apply(&mut self, name: Name, args: &[Reg]) -> Result<Reg, Unsupported> {
        let builtin = match *args {
            [a] => Unary::named(name.as_str()).map(|op| self.graph.unary(op, a)),
            [a, b] => Binary::named(name.as_str()).map(|op| self.graph.binary(op, a, b)),
            _ => None,
        };
        match builtin {
            Some(reg) => Ok(reg),
            None => self.functions.call(self.graph, name, args),
        }
    }
}
