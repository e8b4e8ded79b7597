//! Equations: scalar ones, branches with as many equations each, and `when`.
//!
//! `when c then v = e` is `v = if edge(c) then e else pre(v)`: an equation like any other. At the start a `when` is
//! active only if `initial()` is one of its conditions.

use super::lower::{Assertion, Class, End, Lowering, Refusal, Reinit, Scalar};
use super::semilinear::Instead;
use super::slots::Key;
use super::value::{Value, Why, scalars};
use crate::tape::Reg;
use modeshift_base::FxIndexMap;
use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatRef, Origin};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;
use std::sync::Arc;

impl Lowering<'_> {
    /// Everything in the model. The first refusal ends it.
    pub fn model(&mut self) -> Result<(), Refusal> {
        let flat = self.flat;
        for (v, variable) in flat.variables.iter().enumerate() {
            let v = v as u32;
            self.origin = Some(variable.origin.clone());
            match self.class_of(v) {
                Class::Constant => {
                    // A parameter that nobody reads may have any value.
                    let _ = self.param(v);
                }
                // It has a place even if nobody reads it.
                Class::Input => {
                    self.slot(Key::Var(v, 0));
                }
                Class::Continuous | Class::Discrete => {
                    if let Some(binding) = &variable.binding
                        && !self.aliases.used_bindings[v as usize]
                    {
                        let lhs = self.var(v).map_err(|why| self.refuse(why))?;
                        let rhs = self.scalar(binding).map_err(|why| self.refuse(why))?;
                        let real = matches!(variable.ty, Type::Real);
                        let origin = variable.origin.clone();
                        self.equations.push(Scalar {
                            lhs,
                            rhs,
                            real,
                            at_instants: false,
                            origin,
                        });
                    }
                }
                _ => {}
            }
        }
        let chains = super::semilinear::chains(self);
        for (i, equation) in flat.equations.iter().enumerate() {
            if self.aliases.used_equations[i] {
                continue;
            }
            if let Some(&instead) = chains.get(&i) {
                let scalar = self.in_a_chain(instead, &equation.origin);
                self.equations.push(scalar);
                continue;
            }
            let scalars = self.equation(equation)?;
            self.equations.extend(scalars);
        }
        for algorithm in &flat.algorithms {
            self.origin = Some(algorithm.origin.clone());
            let scalars = self.algorithm(&algorithm.statements, &algorithm.origin)?;
            self.equations.extend(scalars);
        }
        let outer = self.path;
        (self.path, self.at_instant) = (self.initial_flag(), true);
        let at_start = |refusal| Refusal {
            at_start: true,
            ..refusal
        };
        for equation in &flat.initial_equations {
            let scalars = self.equation(equation).map_err(at_start)?;
            self.initial.extend(scalars);
        }
        for algorithm in &flat.initial_algorithms {
            self.origin = Some(algorithm.origin.clone());
            let scalars = self.algorithm(&algorithm.statements, &algorithm.origin);
            self.initial.extend(scalars.map_err(at_start)?);
        }
        (self.path, self.at_instant) = (outer, false);
        self.origin = None;
        Ok(())
    }

    /// An equation of a chain of `semiLinear`.
    fn in_a_chain(&mut self, instead: Instead, origin: &Arc<Origin>) -> Scalar {
        self.origin = Some(origin.clone());
        let (Instead::Between { x, a, b, .. } | Instead::Whole { x, a, b, .. }) = instead;
        let [x, a, b] = [x, a, b].map(|v| self.slot(Key::Var(v, 0)));
        let zero = self.graph.constant(0.0);
        let positive = self.relation(RelOp::GreaterEqual, x, zero);
        let chosen = self.graph.select(positive, a, b);
        let (lhs, rhs) = match instead {
            Instead::Between { s, .. } => (self.slot(Key::Var(s, 0)), chosen),
            Instead::Whole { y, negative, .. } => {
                let lhs = self.signed(Key::Var(y, 0), negative);
                (lhs, self.graph.mul(chosen, x))
            }
        };
        Scalar {
            lhs,
            rhs,
            real: true,
            at_instants: false,
            origin: origin.clone(),
        }
    }

    fn at<T>(&self, result: Result<T, Why>) -> Result<T, Refusal> {
        result.map_err(|why| self.refuse(why))
    }

    fn equation(&mut self, equation: &Equation) -> Result<Vec<Scalar>, Refusal> {
        self.origin = Some(equation.origin.clone());
        let origin = &equation.origin;
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, ty } => self.equality(lhs, rhs, ty, origin),
            EquationKind::If { branches, else_ } => self.branches(branches, else_),
            EquationKind::When { branches } => self.when(branches, origin),
            EquationKind::For {
                iterator,
                range,
                body,
            } => {
                let range = self.exp(range);
                let range = self.at(range)?.items;
                let mut list = Vec::new();
                for item in range {
                    self.iterators.push((*iterator, item));
                    let result = body.iter().try_for_each(|equation| {
                        list.extend(self.equation(equation)?);
                        Ok(())
                    });
                    self.iterators.pop();
                    result?;
                }
                Ok(list)
            }
            EquationKind::Assert {
                condition,
                message,
                level,
            } => {
                let result = self.assertion(condition, message, level, origin);
                self.at(result)?;
                Ok(Vec::new())
            }
            EquationKind::Terminate { message } => {
                self.terminate(message, origin);
                Ok(Vec::new())
            }
            EquationKind::Reinit { .. } => Err(self.refuse("`reinit` outside `when`".to_owned())),
            EquationKind::Call(call) => {
                let result = self.effect(call, origin);
                self.at(result)?;
                Ok(Vec::new())
            }
        }
    }

    fn equality(
        &mut self,
        lhs: &FlatExp,
        rhs: &FlatExp,
        ty: &Type,
        origin: &Arc<Origin>,
    ) -> Result<Vec<Scalar>, Refusal> {
        let pairs = self.sides(lhs, rhs, ty);
        let pairs = self.at(pairs)?;
        let each = |(lhs, rhs, real): (Reg, Reg, bool)| Scalar {
            lhs,
            rhs,
            real,
            at_instants: false,
            origin: origin.clone(),
        };
        Ok(pairs.into_iter().map(each).collect())
    }

    /// The scalar equations of an equation: both sides, and whether they are real.
    fn sides(
        &mut self,
        lhs: &FlatExp,
        rhs: &FlatExp,
        ty: &Type,
    ) -> Result<Vec<(Reg, Reg, bool)>, Why> {
        if let (Exp::Tuple(targets), other) | (other, Exp::Tuple(targets)) = (lhs, rhs) {
            let Exp::Call(call) = other else {
                return Err("several values at once come from something that is no call".to_owned());
            };
            let outputs = match &call.function {
                Callee::User(name) => self.user_call(name, &call.args, &call.ty)?,
                Callee::Builtin(name) if name.as_str() == "spatialDistribution" => {
                    let ends = self.spatial_distribution(&call.args)?;
                    ends.map(Value::scalar).into()
                }
                Callee::Builtin(_) => {
                    return Err("several values at once come from a built-in function".to_owned());
                }
            };
            let mut list = Vec::new();
            for (target, output) in targets.iter().zip(outputs) {
                if let Some(target) = target {
                    let value = self.exp(target)?;
                    let types = self.types_of(target, &value);
                    list.extend(pair(&value, &output, &types)?);
                }
            }
            return Ok(list);
        }
        let mut types = Vec::new();
        let known = scalars(ty, &mut types).is_some();
        if known && !types.is_empty() && types.iter().all(|ty| matches!(ty, Type::External(_))) {
            return Ok(Vec::new());
        }
        let (a, b) = match (self.exp(lhs), self.exp(rhs)) {
            // A String that cannot be computed is told where something reads it.
            (Err(_), _) | (_, Err(_)) if matches!(ty.element(), Type::String) => {
                return Ok(Vec::new());
            }
            (a, b) => (a?, b?),
        };
        let types = if types.len() == a.items.len() {
            types
        } else {
            vec![ty.element().clone(); a.items.len()]
        };
        let real: Vec<bool> = types.iter().map(|ty| matches!(ty, Type::Real)).collect();
        pair(&a, &b, &real)
    }

    /// Which scalars of a target are real.
    fn types_of(&self, target: &FlatExp, value: &Value) -> Vec<bool> {
        let real = |v: usize| matches!(self.variable(v as u32).ty, Type::Real);
        match target {
            Exp::Ref(FlatRef::Var(id)) => vec![real(id.index())],
            Exp::Ref(FlatRef::Group(id)) => self.flat.groups[*id]
                .members
                .iter()
                .map(|m| real(m.index()))
                .collect(),
            _ => vec![true; value.items.len()],
        }
    }

    fn branches(
        &mut self,
        branches: &[(FlatExp, Vec<Equation>)],
        else_: &[Equation],
    ) -> Result<Vec<Scalar>, Refusal> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            let mut list = Vec::new();
            for equation in else_ {
                list.extend(self.equation(equation)?);
            }
            return Ok(list);
        };
        let condition = self.scalar(condition);
        let condition = self.at(condition)?;
        if let Some(holds) = self.graph.value(condition) {
            if holds == 0.0 {
                return self.branches(rest, else_);
            }
            let mut list = Vec::new();
            for equation in body {
                list.extend(self.equation(equation)?);
            }
            return Ok(list);
        }
        let outer = (self.path, self.origin.clone());
        self.path = self.and(outer.0, condition);
        let mut then = Vec::new();
        for equation in body {
            then.extend(self.equation(equation)?);
        }
        let not = self.not(condition);
        self.path = self.and(outer.0, not);
        let otherwise = self.branches(rest, else_)?;
        (self.path, self.origin) = outer;
        self.merge(condition, then, otherwise)
    }

    /// One list of equations from those of two branches.
    fn merge(
        &mut self,
        condition: Reg,
        mut then: Vec<Scalar>,
        mut otherwise: Vec<Scalar>,
    ) -> Result<Vec<Scalar>, Refusal> {
        if then.len() != otherwise.len() {
            return Err(self
                .refuse("the branches of an `if` have different numbers of equations".to_owned()));
        }
        // Equations for the same unknown belong together.
        then.sort_by_key(|e| (e.real, e.lhs));
        otherwise.sort_by_key(|e| (e.real, e.lhs));
        let mut list = Vec::new();
        for (a, b) in then.into_iter().zip(otherwise) {
            if a.real != b.real {
                return Err(
                    self.refuse("the branches of an `if` have different equations".to_owned())
                );
            }
            let (lhs, rhs) = if a.lhs == b.lhs {
                (a.lhs, self.graph.select(condition, a.rhs, b.rhs))
            } else if a.real {
                let (x, y) = (self.graph.sub(a.lhs, a.rhs), self.graph.sub(b.lhs, b.rhs));
                (self.graph.constant(0.0), self.graph.select(condition, x, y))
            } else {
                return Err(self.refuse(
                    "the branches of an `if` define different discrete variables".to_owned(),
                ));
            };
            list.push(Scalar {
                lhs,
                rhs,
                real: a.real,
                at_instants: false,
                origin: a.origin,
            });
        }
        Ok(list)
    }

    /// Whether a `when` with this condition is active now.
    pub(super) fn fires(&mut self, condition: &FlatExp) -> Result<Reg, Why> {
        let items: Vec<&FlatExp> = match condition {
            Exp::Array(items, _) => items.iter().collect(),
            other => vec![other],
        };
        let mut any = self.graph.constant(0.0);
        for item in items {
            let is_initial = matches!(item, Exp::Call(call)
                if matches!(&call.function, Callee::Builtin(name) if name.as_str() == "initial"));
            if is_initial {
                let initial = self.initial_flag();
                any = self.or(any, initial);
                continue;
            }
            for value in self.exp(item)?.items {
                let fires = self.rising(value);
                any = self.or(any, fires);
            }
        }
        Ok(any)
    }

    /// Whether a condition has just become true, outside the start.
    fn rising(&mut self, value: Reg) -> Reg {
        if self.graph.value(value).is_some() {
            return self.graph.constant(0.0);
        }
        let watch = match self.watches.get(&value) {
            Some(&watch) => watch,
            None => {
                let watch = self.auxiliary();
                self.watches.insert(value, watch);
                let lhs = self.slot(Key::Var(watch, 0));
                if let Some(origin) = self.origin.clone() {
                    self.equations.push(Scalar {
                        lhs,
                        rhs: value,
                        real: false,
                        at_instants: false,
                        origin,
                    });
                }
                watch
            }
        };
        let (now, before) = (self.slot(Key::Var(watch, 0)), self.slot(Key::Pre(watch)));
        let before = self.not(before);
        let edge = self.and(now, before);
        let initial = self.initial_flag();
        let running = self.not(initial);
        self.and(running, edge)
    }

    fn when(
        &mut self,
        branches: &[(FlatExp, Vec<Equation>)],
        origin: &Arc<Origin>,
    ) -> Result<Vec<Scalar>, Refusal> {
        // By variable: under which condition it gets which value.
        let mut assigned: FxIndexMap<u32, Vec<(Reg, Reg)>> = FxIndexMap::default();
        let outer = (self.path, self.no_event, self.at_instant);
        let mut open = self.graph.constant(1.0);
        let mut origins = FxIndexMap::default();
        for (condition, body) in branches {
            let fires = self.fires(condition);
            let fires = self.at(fires)?;
            let active = self.and(open, fires);
            let quiet = self.not(fires);
            open = self.and(open, quiet);
            self.path = self.and(outer.0, active);
            (self.no_event, self.at_instant) = (true, true);
            let result = body
                .iter()
                .try_for_each(|e| self.when_body(e, &mut assigned, &mut origins));
            (self.path, self.no_event, self.at_instant) = outer;
            self.origin = Some(origin.clone());
            result?;
        }
        let mut list = Vec::new();
        for (v, values) in assigned {
            let before = self.left(v);
            let mut value = self.at(before)?;
            for (fires, new) in values.into_iter().rev() {
                value = self.graph.select(fires, new, value);
            }
            let lhs = self.var(v);
            let lhs = self.at(lhs)?;
            let real = false;
            let origin = origins.get(&v).cloned().unwrap_or_else(|| origin.clone());
            list.push(Scalar {
                lhs,
                rhs: value,
                real,
                at_instants: true,
                origin,
            });
        }
        Ok(list)
    }

    fn when_body(
        &mut self,
        equation: &Equation,
        assigned: &mut FxIndexMap<u32, Vec<(Reg, Reg)>>,
        origins: &mut FxIndexMap<u32, Arc<Origin>>,
    ) -> Result<(), Refusal> {
        self.origin = Some(equation.origin.clone());
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, ty } => {
                let targets = self.targets(lhs);
                let targets = self.at(targets)?;
                let values: Vec<Reg> = if let (Exp::Tuple(items), Exp::Call(call)) = (lhs, rhs) {
                    let result = self.tuple_values(items, call);
                    self.at(result)?
                } else if let (Exp::Tuple(items), Exp::Tuple(values)) = (lhs, rhs) {
                    // A call whose results are known was evaluated before.
                    let pairs = items.iter().zip(values).filter(|(item, _)| item.is_some());
                    let mut all = Vec::new();
                    for value in pairs.filter_map(|(_, value)| value.as_ref()) {
                        let value = self.exp(value);
                        all.extend(self.at(value)?.items);
                    }
                    all
                } else {
                    let sides = self.sides(lhs, rhs, ty);
                    self.at(sides)?
                        .into_iter()
                        .map(|(_, value, _)| value)
                        .collect()
                };
                if values.len() != targets.len() {
                    return Err(
                        self.refuse("an equation in `when` whose sides differ in size".to_owned())
                    );
                }
                for (v, value) in targets.into_iter().zip(values) {
                    let path = self.path;
                    assigned.entry(v).or_default().push((path, value));
                    origins.entry(v).or_insert_with(|| equation.origin.clone());
                }
                Ok(())
            }
            EquationKind::If { branches, else_ } => {
                let outer = self.path;
                for (condition, body) in branches {
                    let condition = self.scalar(condition);
                    let condition = self.at(condition)?;
                    let rest = self.path;
                    self.path = self.and(rest, condition);
                    for equation in body {
                        self.when_body(equation, assigned, origins)?;
                    }
                    let not = self.not(condition);
                    self.path = self.and(rest, not);
                }
                for equation in else_ {
                    self.when_body(equation, assigned, origins)?;
                }
                self.path = outer;
                Ok(())
            }
            EquationKind::For {
                iterator,
                range,
                body,
            } => {
                let range = self.exp(range);
                for item in self.at(range)?.items {
                    self.iterators.push((*iterator, item));
                    let result = body
                        .iter()
                        .try_for_each(|e| self.when_body(e, assigned, origins));
                    self.iterators.pop();
                    result?;
                }
                Ok(())
            }
            EquationKind::Reinit { variable, value } => {
                let result = self.reinit(variable, value, &equation.origin);
                self.at(result)
            }
            EquationKind::Assert {
                condition,
                message,
                level,
            } => {
                let result = self.assertion(condition, message, level, &equation.origin);
                self.at(result)
            }
            EquationKind::Terminate { message } => {
                self.terminate(message, &equation.origin);
                Ok(())
            }
            EquationKind::Call(call) => {
                let result = self.effect(call, &equation.origin);
                self.at(result)
            }
            EquationKind::When { .. } => Err(self.refuse("`when` inside `when`".to_owned())),
        }
    }

    /// The variables that an equation in `when` defines.
    fn targets(&self, lhs: &FlatExp) -> Result<Vec<u32>, Why> {
        match lhs {
            Exp::Ref(FlatRef::Var(id)) => Ok(vec![id.index() as u32]),
            Exp::Ref(FlatRef::Group(id)) => Ok(self.flat.groups[*id]
                .members
                .iter()
                .map(|m| m.index() as u32)
                .collect()),
            Exp::Tuple(items) => {
                let lists = items.iter().flatten().map(|item| self.targets(item));
                Ok(lists.collect::<Result<Vec<_>, _>>()?.concat())
            }
            Exp::Array(items, _) => {
                let lists = items.iter().map(|item| self.targets(item));
                Ok(lists.collect::<Result<Vec<_>, _>>()?.concat())
            }
            _ => Err("an equation in `when` does not say which variable it defines".to_owned()),
        }
    }

    fn tuple_values(
        &mut self,
        targets: &[Option<FlatExp>],
        call: &modeshift_inst::exp::Call<FlatRef>,
    ) -> Result<Vec<Reg>, Why> {
        let Callee::User(name) = &call.function else {
            return Err("several values at once come from a built-in function".to_owned());
        };
        let outputs = self.user_call(name, &call.args, &call.ty)?;
        let pairs = targets
            .iter()
            .zip(outputs)
            .filter(|(target, _)| target.is_some());
        Ok(pairs.flat_map(|(_, output)| output.items).collect())
    }

    pub(super) fn reinit(
        &mut self,
        variable: &FlatExp,
        value: &FlatExp,
        origin: &Arc<Origin>,
    ) -> Result<(), Why> {
        let targets = self.targets(variable)?;
        let values = self.exp(value)?.items;
        if values.len() != targets.len() {
            return Err("`reinit` with sides of different size".to_owned());
        }
        for (v, value) in targets.into_iter().zip(values) {
            let (unknown, negative) = self.aliases.of(v);
            let value = if negative {
                self.graph.neg(value)
            } else {
                value
            };
            let (fires, origin) = (self.path, origin.clone());
            self.reinits.push(Reinit {
                fires,
                variable: unknown,
                value,
                origin,
            });
        }
        Ok(())
    }

    pub(super) fn assertion(
        &mut self,
        condition: &FlatExp,
        message: &FlatExp,
        level: &FlatExp,
        origin: &Arc<Origin>,
    ) -> Result<(), Why> {
        let outer = std::mem::replace(&mut self.no_event, true);
        let holds = self.scalar(condition);
        self.no_event = outer;
        let reached = self.path;
        let unreached = self.not(reached);
        let holds = self.or(unreached, holds?);
        if self.graph.value(holds).is_some_and(|value| value != 0.0) {
            return Ok(());
        }
        let level = self.scalar(level)?;
        let warning = self.graph.value(level) == Some(1.0);
        let text = match message {
            Exp::Str(_) => None,
            message => self.scalar(message).ok(),
        };
        let message = self.text(message);
        self.assertions.push(Assertion {
            holds,
            message,
            text,
            warning,
            at_instants: self.at_instant,
            origin: origin.clone(),
        });
        Ok(())
    }

    pub(super) fn terminate(&mut self, message: &FlatExp, origin: &Arc<Origin>) {
        let message = self.text(message);
        let fires = self.path;
        self.ends.push(End {
            fires,
            message,
            origin: origin.clone(),
        });
    }

    /// A message as far as it is known beforehand.
    fn text(&self, exp: &FlatExp) -> String {
        match exp {
            Exp::Str(text) => text.to_string(),
            Exp::Binary(_, sides) => format!("{}{}", self.text(&sides.0), self.text(&sides.1)),
            Exp::Cast(_, inner) => self.text(inner),
            _ => "…".to_owned(),
        }
    }
}

fn pair(a: &Value, b: &Value, real: &[bool]) -> Result<Vec<(Reg, Reg, bool)>, Why> {
    let broadcast =
        |value: &Value, i: usize| value.items[if value.items.len() == 1 { 0 } else { i }];
    let count = a.items.len().max(b.items.len());
    if (a.items.len() != count && a.items.len() != 1)
        || (b.items.len() != count && b.items.len() != 1)
    {
        return Err("an equation has sides of different size".to_owned());
    }
    let kind = |i: usize| real.get(i).or(real.first()).copied().unwrap_or(true);
    Ok((0..count)
        .map(|i| (broadcast(a, i), broadcast(b, i), kind(i)))
        .collect())
}
