//! The first pass: each operator on clocks is replaced by a variable that stands in for it, so that what remains are
//! plain equations over variables, and the operators are edges between variables.
//!
//! An argument that is no variable gets one with an equation of its own (Modelica 3.6 §16.7.1), apart from expressions of
//! parameters, which have a value everywhere.

use super::rational::Rational;
use super::{Item, What, Work};
use crate::model::{Equation, EquationKind, FlatExp, FlatRef, Origin, OriginKind, VarId, Variable};
use crate::walk::{change_equation, change_statements, rewrite, walk};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// What a variable made here stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StandIn {
    /// `sample(u, c)`.
    Sample {
        argument: FlatExp,
        clock: VarId,
    },
    /// `hold(u)`.
    Hold(VarId),
    /// A value, or a clock, on a clock that is made from another.
    Convert {
        argument: VarId,
        edge: Edge,
    },
    /// A clock that is given.
    Source(Source),
    /// `Clock(c, solverMethod)`.
    Solver {
        clock: VarId,
        method: Arc<str>,
    },
    /// `Clock()`, or `Clock(0)`.
    Inferred,
    Interval,
    FirstTick,
}

/// How the clock of a conversion follows from that of its argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Edge {
    /// The interval times `factor`, and `shift` intervals of the argument later.
    Affine { factor: Rational, shift: Rational },
    /// Slower by a whole factor that is to be found.
    Slower,
    /// Faster by a whole factor that is to be found.
    Faster,
    /// `noClock`: nothing but the same base clock.
    Free,
}

/// A clock that does not follow from others.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Source {
    /// Period in seconds.
    Rational(Rational),
    /// A parameter expression.
    Real(FlatExp),
    /// The interval to the next tick is `variable / resolution`, computed at each tick.
    Varying { variable: VarId, resolution: i64 },
    /// Ticks when the variable becomes true.
    Event { condition: VarId, start: FlatExp },
}

/// Whether a call is an operator on clocks. `sample(start, interval)` is none.
pub(super) fn is_operator(exp: &FlatExp, is_clock: impl Fn(&FlatExp) -> bool) -> bool {
    let Exp::Call(call) = exp else {
        return false;
    };
    let Callee::Builtin(name) = &call.function else {
        return false;
    };
    match name.as_str() {
        "sample" => call.args.get(1).is_some_and(is_clock),
        "Clock" | "hold" | "previous" | "subSample" | "superSample" | "shiftSample"
        | "backSample" | "noClock" | "firstTick" | "interval" => true,
        _ => false,
    }
}

impl Work {
    pub(super) fn is_clock(&self, exp: &FlatExp) -> bool {
        match exp {
            Exp::Ref(FlatRef::Var(id)) => self.model.variables[*id].ty == Type::Clock,
            Exp::Call(call) => call.ty == Type::Clock,
            Exp::If(inner) => inner.ty == Type::Clock,
            _ => false,
        }
    }

    /// Takes the model apart into items without operators.
    pub(super) fn collect(&mut self) {
        let ids: Vec<VarId> = self.model.variables.ids().collect();
        for id in ids {
            let variable = &mut self.model.variables[id];
            if variable.variability <= Variability::Parameter {
                continue;
            }
            let Some(binding) = variable.binding.take() else {
                continue;
            };
            let (ty, mut origin) = (variable.ty.clone(), (*variable.origin).clone());
            origin.kind = OriginKind::Binding;
            let origin = Arc::new(origin);
            let rhs = self.without_operators(binding, &origin);
            let lhs = Exp::Ref(FlatRef::Var(id));
            let what = What::Equation(EquationKind::Equality { lhs, rhs, ty });
            self.push(what, origin, None, Some(id));
        }
        for equation in std::mem::take(&mut self.model.equations) {
            self.collect_equation(equation);
        }
        for algorithm in std::mem::take(&mut self.model.algorithms) {
            let mut statements = algorithm.statements;
            let origin = algorithm.origin;
            change_statements(&mut statements, &mut |exp| {
                *exp = self.without_operators(std::mem::replace(exp, Exp::Error), &origin);
            });
            self.push(What::Algorithm(statements), origin, None, None);
        }
        for mut equation in std::mem::take(&mut self.model.initial_equations) {
            let origin = equation.origin.clone();
            change_equation(&mut equation, &mut |exp| {
                *exp = self.without_operators(std::mem::replace(exp, Exp::Error), &origin);
            });
            self.initial.push(equation);
        }
    }

    fn collect_equation(&mut self, mut equation: Equation) {
        let origin = equation.origin.clone();
        change_equation(&mut equation, &mut |exp| {
            *exp = self.without_operators(std::mem::replace(exp, Exp::Error), &origin);
        });
        match equation.kind {
            EquationKind::When { branches } => match &branches[..] {
                [(condition, _)] if self.is_clock(condition) => {
                    let Some((Exp::Ref(FlatRef::Var(clock)), body)) = branches.into_iter().next()
                    else {
                        self.not_a_clock(&origin);
                        return;
                    };
                    for inner in body {
                        self.push(What::Equation(inner.kind), inner.origin, Some(clock), None);
                    }
                }
                _ => {
                    self.push(
                        What::Equation(EquationKind::When { branches }),
                        origin,
                        None,
                        None,
                    );
                }
            },
            kind => self.push(What::Equation(kind), origin, None, None),
        }
    }

    pub(super) fn push(
        &mut self,
        what: What,
        origin: Arc<Origin>,
        clock: Option<VarId>,
        binding_of: Option<VarId>,
    ) {
        let guard = self.states.around(&origin.instance).map(|it| it.active);
        self.items.push(Item {
            guard,
            what,
            origin,
            clock,
            binding_of,
        });
    }

    fn without_operators(&mut self, exp: FlatExp, origin: &Arc<Origin>) -> FlatExp {
        let mut found = false;
        walk(&exp, &mut |part| {
            found |= is_operator(part, |arg| self.is_clock(arg));
        });
        if !found {
            return exp;
        }
        rewrite(exp, &mut |part| self.replace(part, origin))
    }

    fn replace(&mut self, exp: FlatExp, origin: &Arc<Origin>) -> FlatExp {
        if !is_operator(&exp, |arg| self.is_clock(arg)) {
            return exp;
        }
        let Exp::Call(call) = exp else {
            return exp;
        };
        let Callee::Builtin(name) = call.function else {
            return Exp::Call(call);
        };
        let name = name.as_str();
        let ty = call.ty.clone();
        let clocks = ty == Type::Clock;
        let mut args = call.args.into_iter();
        let first = args.next();
        let rest: Vec<FlatExp> = args.collect();
        if matches!(&ty, Type::Array(_) | Type::Record(_)) {
            self.error(
                Code::MS2037,
                format!(
                    "`{name}` of an array or a record that stays together is not supported yet"
                ),
                origin,
                "used here",
            );
            return Exp::Error;
        }
        let stand_in = match (name, first) {
            ("previous", Some(first)) => return self.previous(first, ty, origin),
            ("Clock", first) => self.clock(first, &rest, origin),
            ("sample", Some(first)) => self.sample(first, &rest, &ty, origin),
            ("hold", Some(first)) => match self.known_everywhere(&first) {
                true => return first,
                false => self
                    .variable_of(first, &ty, name, origin)
                    .map(StandIn::Hold),
            },
            ("interval" | "firstTick", first) => {
                let kind = match name {
                    "interval" => StandIn::Interval,
                    _ => StandIn::FirstTick,
                };
                let id = self.stand_in(ty, kind, origin);
                let mut anchor = Vec::new();
                first
                    .iter()
                    .for_each(|arg| self.variables_in(arg, &mut anchor));
                anchor.into_iter().for_each(|of| self.same.push((id, of)));
                return Exp::Ref(FlatRef::Var(id));
            }
            (_, Some(first)) => {
                if !clocks && self.known_everywhere(&first) {
                    return first;
                }
                let edge = self.edge(name, &rest, origin);
                let argument = self.variable_of(first, &ty, name, origin);
                edge.zip(argument)
                    .map(|(edge, argument)| StandIn::Convert { argument, edge })
            }
            (_, None) => None,
        };
        match stand_in {
            Some(stand_in) => Exp::Ref(FlatRef::Var(self.stand_in(ty, stand_in, origin))),
            None => Exp::Error,
        }
    }

    fn previous(&mut self, argument: FlatExp, ty: Type, origin: &Arc<Origin>) -> FlatExp {
        match argument {
            Exp::Ref(FlatRef::Var(id)) if self.stand_ins.contains_key(&id) => {
                self.error(
                    Code::MS2073,
                    "`previous` is applied to an expression: only a variable has a previous value",
                    origin,
                    "in this equation",
                );
                Exp::Error
            }
            Exp::Ref(FlatRef::Var(id)) => {
                self.mark_clocked(id, origin, "`previous` makes it clocked");
                super::build::pre(Exp::Ref(FlatRef::Var(id)), ty)
            }
            other if self.known_everywhere(&other) => other,
            _ => {
                self.error(
                    Code::MS2073,
                    "`previous` is applied to an expression: only a variable has a previous value",
                    origin,
                    "in this equation",
                );
                Exp::Error
            }
        }
    }

    fn sample(
        &mut self,
        argument: FlatExp,
        rest: &[FlatExp],
        ty: &Type,
        origin: &Arc<Origin>,
    ) -> Option<StandIn> {
        let clock = match rest {
            [Exp::Ref(FlatRef::Var(clock))] => *clock,
            _ => {
                self.not_a_clock(origin);
                return None;
            }
        };
        // Time and parameters have no left limit of their own.
        if self.known_everywhere(&argument) || matches!(argument, Exp::Time) {
            return Some(StandIn::Sample { argument, clock });
        }
        let id = self.variable_of(argument, ty, "sample", origin)?;
        let argument = Exp::Ref(FlatRef::Var(id));
        Some(StandIn::Sample { argument, clock })
    }

    fn clock(
        &mut self,
        first: Option<FlatExp>,
        rest: &[FlatExp],
        origin: &Arc<Origin>,
    ) -> Option<StandIn> {
        let Some(first) = first else {
            return Some(StandIn::Inferred);
        };
        if let Exp::Ref(FlatRef::Var(id)) = first
            && self.model.variables[id].ty == Type::Clock
        {
            let method = rest.first().map(|it| self.constant(it.clone(), 0));
            let method = match method {
                Some(Exp::Str(method)) => method,
                _ => {
                    self.argument("the solver method of a clock must be known", origin);
                    return None;
                }
            };
            return Some(StandIn::Solver { clock: id, method });
        }
        match (&first, rest) {
            // An event clock has a start interval, the others have a resolution or nothing.
            (_, [start]) if self.is_boolean(&first) => {
                let condition = self.variable_of(first, &Type::Boolean, "Clock", origin)?;
                Some(StandIn::Source(Source::Event {
                    condition,
                    start: start.clone(),
                }))
            }
            (_, [resolution]) => {
                let resolution = self.whole(resolution).filter(|it| *it >= 1);
                let Some(resolution) = resolution else {
                    self.argument(
                        "the resolution of a clock must be a known whole number from 1",
                        origin,
                    );
                    return None;
                };
                match self.whole(&first) {
                    Some(0) => Some(StandIn::Inferred),
                    Some(counter) if counter > 0 => {
                        let period = Rational::new(i128::from(counter), i128::from(resolution))?;
                        Some(StandIn::Source(Source::Rational(period)))
                    }
                    Some(_) => {
                        self.argument("the interval of a clock is negative", origin);
                        None
                    }
                    None => {
                        let variable = self.variable_of(first, &Type::Integer, "Clock", origin)?;
                        Some(StandIn::Source(Source::Varying {
                            variable,
                            resolution,
                        }))
                    }
                }
            }
            _ if self.known_everywhere(&first) => {
                if number(&first).is_some_and(|value| value <= 0.0) {
                    self.argument("the interval of a clock is not positive", origin);
                    return None;
                }
                Some(StandIn::Source(Source::Real(first)))
            }
            _ => {
                let variable = self.variable_of(first, &Type::Real, "Clock", origin)?;
                Some(StandIn::Source(Source::Varying {
                    variable,
                    resolution: 1,
                }))
            }
        }
    }

    fn edge(&mut self, name: &str, rest: &[FlatExp], origin: &Arc<Origin>) -> Option<Edge> {
        let numbers: Option<Vec<i64>> = rest.iter().map(|arg| self.whole(arg)).collect();
        let Some(numbers) = numbers else {
            let message = format!("the arguments of `{name}` must be known whole numbers");
            self.argument(&message, origin);
            return None;
        };
        let affine = |factor, shift| Some(Edge::Affine { factor, shift });
        let edge = match (name, &numbers[..]) {
            ("noClock", _) => Some(Edge::Free),
            ("subSample", [] | [0]) => Some(Edge::Slower),
            ("superSample", [] | [0]) => Some(Edge::Faster),
            ("subSample", [factor]) if *factor > 0 => {
                affine(Rational::integer(*factor), Rational::ZERO)
            }
            ("superSample", [factor]) if *factor > 0 => {
                Rational::new(1, i128::from(*factor)).and_then(|by| affine(by, Rational::ZERO))
            }
            ("shiftSample" | "backSample", [counter, resolution])
                if *counter >= 0 && *resolution >= 1 =>
            {
                let sign = if name == "shiftSample" { 1 } else { -1 };
                Rational::new(i128::from(*counter) * sign, i128::from(*resolution))
                    .and_then(|shift| affine(Rational::ONE, shift))
            }
            _ => None,
        };
        if edge.is_none() {
            let message = format!("`{name}` does not take these numbers");
            self.argument(&message, origin);
        }
        edge
    }

    /// The variable that an argument is; a new one with an equation where it is an expression.
    fn variable_of(
        &mut self,
        argument: FlatExp,
        ty: &Type,
        operator: &str,
        origin: &Arc<Origin>,
    ) -> Option<VarId> {
        match argument {
            Exp::Ref(FlatRef::Var(id))
                if *ty == Type::Clock || !self.stand_ins.contains_key(&id) =>
            {
                Some(id)
            }
            Exp::Error => None,
            _ if matches!(operator, "hold" | "backSample") => {
                let message = format!(
                    "`{operator}` is applied to an expression: only a variable has a start value"
                );
                self.error(Code::MS2073, message, origin, "in this equation");
                None
            }
            argument => {
                let id = self.new_variable(operator, ty.clone(), origin);
                let lhs = Exp::Ref(FlatRef::Var(id));
                let what = What::Equation(EquationKind::Equality {
                    lhs,
                    rhs: argument,
                    ty: ty.clone(),
                });
                self.push(what, origin.clone(), None, None);
                Some(id)
            }
        }
    }

    fn stand_in(&mut self, ty: Type, what: StandIn, origin: &Arc<Origin>) -> VarId {
        let id = self.new_variable("operator", ty, origin);
        self.stand_ins.insert(id, what);
        id
    }

    pub(super) fn new_variable(&mut self, what: &str, ty: Type, origin: &Arc<Origin>) -> VarId {
        self.made += 1;
        let name: Arc<str> = format!("$clocked{}.{what}", self.made).into();
        let variability = match ty {
            Type::Real => Variability::Continuous,
            _ => Variability::Discrete,
        };
        self.model.variables.push(Variable {
            stem: name.len() as u32,
            name,
            ty,
            variability,
            discrete: false,
            causality: None,
            flow: false,
            protected: true,
            final_: false,
            attributes: Vec::new(),
            binding: None,
            comment: None,
            origin: origin.clone(),
        })
    }

    fn argument(&mut self, message: &str, origin: &Arc<Origin>) {
        self.error(Code::MS2073, message, origin, "in this equation");
    }

    pub(super) fn not_a_clock(&mut self, origin: &Arc<Origin>) {
        self.argument(
            "which clock this is cannot be told before the simulation",
            origin,
        );
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        message: impl Into<String>,
        origin: &Arc<Origin>,
        label: &str,
    ) {
        self.diagnostics
            .push(Diagnostic::new(code, message).label(origin.span, label));
    }
}

fn number(exp: &FlatExp) -> Option<f64> {
    match exp {
        Exp::Real(value) => Some(*value),
        Exp::Int(value) => Some(*value as f64),
        _ => None,
    }
}
