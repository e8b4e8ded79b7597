//! Algorithms, followed with nodes as values. A branch whose condition is not known becomes a selection; loops have
//! known bounds, and where one is left under a condition, what follows is a branch. Discrete variables enter with their left limit, others with their start value.

use super::lower::{Class, Lowering, Refusal, Scalar};
use super::value::{Value, Why};
use crate::tape::Reg;
use modeshift_base::{FxHashMap, Name};
use modeshift_flat::model::{FlatExp, FlatRef, Origin, Statement, StatementKind};
use modeshift_inst::exp::{Callee, Exp, Subscript};
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;
use std::sync::Arc;

/// Statements followed in one algorithm, all loops unrolled.
const MAX_STEPS: usize = 100_000;

/// Turns of a loop that is left under a condition: each nests in the one before.
const MAX_NESTED_TURNS: usize = 500;

/// Under which conditions the statements after this one are not reached any more.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Flow {
    /// By `break`, until the end of the loop.
    broken: Reg,
    /// By `return`, until the end of the algorithm.
    returned: Reg,
}

impl Lowering<'_> {
    pub(super) fn algorithm(
        &mut self,
        statements: &[Statement],
        origin: &Arc<Origin>,
    ) -> Result<Vec<Scalar>, Refusal> {
        let mut outputs = Vec::new();
        for statement in statements {
            self.assigned(statement, &mut outputs);
        }
        outputs.sort_unstable();
        outputs.dedup();
        let mut env = FxHashMap::default();
        for &v in &outputs {
            let entry = match self.class_of(v) {
                Class::Discrete => self.left(v),
                Class::Text => continue,
                _ => self.start(v).map(|(reg, _)| reg),
            };
            env.insert(v, entry.map_err(|why| self.refuse(why))?);
        }
        self.env = Some(env);
        let outer = self.path;
        let mut steps = 0;
        let flow = self.statements(statements, &mut steps);
        self.path = outer;
        let env = self.env.take().unwrap_or_default();
        flow.map_err(|why| self.refuse(why))?;
        self.origin = Some(origin.clone());
        let mut list = Vec::new();
        for v in outputs {
            let Some(&rhs) = env.get(&v) else { continue };
            let lhs = self.var(v).map_err(|why| self.refuse(why))?;
            let real =
                matches!(self.variable(v).ty, Type::Real) && self.class_of(v) != Class::Discrete;
            list.push(Scalar {
                lhs,
                rhs,
                real,
                at_instants: true,
                origin: origin.clone(),
            });
        }
        Ok(list)
    }

    /// The variables that a statement assigns.
    fn assigned(&self, statement: &Statement, out: &mut Vec<u32>) {
        match &statement.kind {
            StatementKind::Assign { target, .. } => self.assigned_by(target, out),
            StatementKind::If { branches, else_ } => {
                let all = branches.iter().flat_map(|(_, body)| body).chain(else_);
                all.for_each(|statement| self.assigned(statement, out));
            }
            StatementKind::When { branches } => {
                let all = branches.iter().flat_map(|(_, body)| body);
                all.for_each(|statement| self.assigned(statement, out));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                body.iter()
                    .for_each(|statement| self.assigned(statement, out));
            }
            _ => {}
        }
    }

    fn assigned_by(&self, target: &FlatExp, out: &mut Vec<u32>) {
        match target {
            Exp::Ref(FlatRef::Var(id)) => out.push(id.index() as u32),
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                out.extend(
                    self.flat.groups[*id]
                        .members
                        .iter()
                        .map(|m| m.index() as u32),
                );
            }
            Exp::Tuple(items) => items
                .iter()
                .flatten()
                .for_each(|item| self.assigned_by(item, out)),
            Exp::Array(items, _) => items.iter().for_each(|item| self.assigned_by(item, out)),
            _ => {}
        }
    }

    /// Neither `break` nor `return`.
    fn on(&mut self) -> Flow {
        let never = self.graph.constant(0.0);
        Flow {
            broken: never,
            returned: never,
        }
    }

    /// One after the other.
    fn then(&mut self, first: Flow, second: Flow) -> Flow {
        Flow {
            broken: self.or(first.broken, second.broken),
            returned: self.or(first.returned, second.returned),
        }
    }

    /// Where neither `break` nor `return` was reached.
    fn goes_on(&mut self, flow: Flow) -> Reg {
        let left = self.or(flow.broken, flow.returned);
        self.not(left)
    }

    fn statements(&mut self, statements: &[Statement], steps: &mut usize) -> Result<Flow, Why> {
        let mut flow = self.on();
        for (i, statement) in statements.iter().enumerate() {
            *steps += 1;
            if *steps > MAX_STEPS {
                return Err("an algorithm takes too many steps".to_owned());
            }
            self.origin = Some(statement.origin.clone());
            flow = self.statement(statement, steps)?;
            let goes_on = self.goes_on(flow);
            match self.graph.value(goes_on) {
                Some(0.0) => return Ok(flow),
                Some(_) => {}
                None => {
                    let rest = &statements[i + 1..];
                    let rest = self.either(
                        goes_on,
                        steps,
                        |this, steps| this.statements(rest, steps),
                        |this, _| Ok(this.on()),
                    )?;
                    return Ok(self.then(flow, rest));
                }
            }
        }
        Ok(flow)
    }

    /// The turns of a loop over `items`, until one is left.
    fn turns(
        &mut self,
        iterator: Name,
        items: &[Reg],
        body: &[Statement],
        steps: &mut usize,
        nested: usize,
    ) -> Result<Flow, Why> {
        if nested > MAX_NESTED_TURNS {
            return Err("a long loop is left under a condition that changes with time".to_owned());
        }
        for (i, &item) in items.iter().enumerate() {
            self.iterators.push((iterator, item));
            let flow = self.statements(body, steps);
            self.iterators.pop();
            let flow = flow?;
            let goes_on = self.goes_on(flow);
            match self.graph.value(goes_on) {
                Some(0.0) => return Ok(flow),
                Some(_) => {}
                None => {
                    let rest = &items[i + 1..];
                    let rest = self.either(
                        goes_on,
                        steps,
                        |this, steps| this.turns(iterator, rest, body, steps, nested + 1),
                        |this, _| Ok(this.on()),
                    )?;
                    return Ok(self.then(flow, rest));
                }
            }
        }
        Ok(self.on())
    }

    fn statement(&mut self, statement: &Statement, steps: &mut usize) -> Result<Flow, Why> {
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => self.assign(target, value)?,
            StatementKind::If { branches, else_ } => return self.branch(branches, else_, steps),
            StatementKind::For {
                iterator,
                range,
                body,
            } => {
                let range = range
                    .as_ref()
                    .ok_or_else(|| "the range of a loop is not known".to_owned())?;
                let items = self.exp(range)?.items;
                let flow = self.turns(*iterator, &items, body, steps, 0)?;
                return Ok(Flow {
                    broken: self.graph.constant(0.0),
                    ..flow
                });
            }
            StatementKind::While { condition, body } => loop {
                let condition = self.scalar(condition)?;
                let Some(holds) = self.graph.value(condition) else {
                    return Err(
                        "a `while` loop outside a function depends on values that change"
                            .to_owned(),
                    );
                };
                if holds == 0.0 {
                    break;
                }
                *steps += 1;
                if *steps > MAX_STEPS {
                    return Err("an algorithm takes too many steps".to_owned());
                }
                let flow = self.statements(body, steps)?;
                let broken = self.graph.value(flow.broken);
                match (broken, self.graph.value(flow.returned)) {
                    (Some(0.0), Some(0.0)) => {}
                    (Some(_), Some(0.0)) => break,
                    (_, Some(_)) if broken.is_some() => return Ok(flow),
                    _ => {
                        return Err(
                            "a `while` loop is left under a condition that changes with time"
                                .to_owned(),
                        );
                    }
                }
            },
            StatementKind::When { branches } => return self.when_statement(branches, steps),
            StatementKind::Break => {
                let broken = self.graph.constant(1.0);
                return Ok(Flow {
                    broken,
                    ..self.on()
                });
            }
            StatementKind::Return => {
                let returned = self.graph.constant(1.0);
                return Ok(Flow {
                    returned,
                    ..self.on()
                });
            }
            StatementKind::Assert {
                condition,
                message,
                level,
            } => {
                self.assertion(condition, message, level, &statement.origin)?;
            }
            StatementKind::Terminate { message } => self.terminate(message, &statement.origin),
            StatementKind::Reinit { variable, value } => {
                self.reinit(variable, value, &statement.origin)?
            }
            StatementKind::Call(call) => self.effect(call, &statement.origin)?,
        }
        Ok(self.on())
    }

    fn branch(
        &mut self,
        branches: &[(FlatExp, Vec<Statement>)],
        else_: &[Statement],
        steps: &mut usize,
    ) -> Result<Flow, Why> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.statements(else_, steps);
        };
        let condition = self.scalar(condition)?;
        if let Some(holds) = self.graph.value(condition) {
            return if holds != 0.0 {
                self.statements(body, steps)
            } else {
                self.branch(rest, else_, steps)
            };
        }
        self.either(
            condition,
            steps,
            |this, steps| this.statements(body, steps),
            |this, steps| this.branch(rest, else_, steps),
        )
    }

    fn when_statement(
        &mut self,
        branches: &[(FlatExp, Vec<Statement>)],
        steps: &mut usize,
    ) -> Result<Flow, Why> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return Ok(self.on());
        };
        let fires = self.fires(condition)?;
        let outer = (self.no_event, self.at_instant);
        self.either(
            fires,
            steps,
            |this, steps| {
                (this.no_event, this.at_instant) = (true, true);
                let flow = this.statements(body, steps);
                (this.no_event, this.at_instant) = outer;
                flow
            },
            |this, steps| this.when_statement(rest, steps),
        )
    }

    /// Two ways, of which a condition chooses one at run time.
    fn either(
        &mut self,
        condition: Reg,
        steps: &mut usize,
        first: impl FnOnce(&mut Self, &mut usize) -> Result<Flow, Why>,
        second: impl FnOnce(&mut Self, &mut usize) -> Result<Flow, Why>,
    ) -> Result<Flow, Why> {
        let before = self.env.clone();
        let outer = self.path;
        self.path = self.and(outer, condition);
        let flow = first(self, steps)?;
        let then = std::mem::replace(&mut self.env, before);
        let not = self.not(condition);
        self.path = self.and(outer, not);
        let other = second(self, steps)?;
        self.path = outer;
        let mut changed: Vec<(u32, Reg)> = then.unwrap_or_default().into_iter().collect();
        changed.sort_unstable();
        for (v, value) in changed {
            let Some(&other) = self.env.as_ref().and_then(|env| env.get(&v)) else {
                continue;
            };
            let merged = self.graph.select(condition, value, other);
            if let Some(env) = &mut self.env {
                env.insert(v, merged);
            }
        }
        Ok(Flow {
            broken: self.graph.select(condition, flow.broken, other.broken),
            returned: self.graph.select(condition, flow.returned, other.returned),
        })
    }

    fn assign(&mut self, target: &FlatExp, value: &FlatExp) -> Result<(), Why> {
        if let Exp::Tuple(targets) = target {
            let Exp::Call(call) = value else {
                return Err("several values are assigned at once".to_owned());
            };
            let Callee::User(name) = &call.function else {
                return Err("several values are assigned at once".to_owned());
            };
            let outputs = self.user_call(name, &call.args, &call.ty)?;
            for (target, value) in targets.iter().zip(outputs) {
                if let Some(target) = target {
                    self.put(target, value)?;
                }
            }
            return Ok(());
        }
        let value = self.exp(value)?;
        self.put(target, value)
    }

    fn set(&mut self, v: u32, value: Reg) {
        if let Some(env) = &mut self.env {
            env.insert(v, value);
        }
    }

    fn put(&mut self, target: &FlatExp, value: Value) -> Result<(), Why> {
        match target {
            Exp::Ref(FlatRef::Var(id)) => {
                let value = value.only()?;
                self.set(id.index() as u32, value);
                Ok(())
            }
            Exp::Ref(FlatRef::Group(id)) => {
                let members = self.flat.groups[*id].members.clone();
                if members.len() != value.items.len() && value.items.len() != 1 {
                    return Err("an assignment has sides of different size".to_owned());
                }
                for (i, member) in members.into_iter().enumerate() {
                    let item = value.items[if value.items.len() == 1 { 0 } else { i }];
                    self.set(member.index() as u32, item);
                }
                Ok(())
            }
            Exp::Ref(FlatRef::Element(id, subscripts)) => {
                let whole = self.open_group(*id, subscripts.len())?;
                let members = self.flat.groups[*id].members.clone();
                let subscripts = self.within(*id, subscripts);
                self.put_element(&whole, &members, &subscripts, &value)
            }
            Exp::Array(items, _) if items.len() == value.items.len() => {
                for (item, &reg) in items.iter().zip(&value.items) {
                    self.put(item, Value::scalar(reg))?;
                }
                Ok(())
            }
            Exp::Cast(_, inner) => self.put(inner, value),
            _ => Err("something that is no variable is assigned".to_owned()),
        }
    }

    /// `a[i] := value` with subscripts that may change with time.
    fn put_element(
        &mut self,
        whole: &Value,
        members: &[modeshift_flat::model::VarId],
        subscripts: &[Subscript<FlatRef>],
        value: &Value,
    ) -> Result<(), Why> {
        let width = whole.width();
        // For every element: whether it is meant.
        let mut chosen = vec![(0_usize, self.graph.constant(1.0))];
        let mut inside = self.graph.constant(1.0);
        for (i, &size) in whole.dims.iter().enumerate() {
            let Some(Subscript::Index(exp)) = subscripts.get(i) else {
                return Err("a slice is assigned at run time".to_owned());
            };
            let index = self.scalar(exp)?;
            if let Some(number) = self.graph.value(index)
                && !(number >= 1.0 && number <= size as f64)
            {
                return Err(format!(
                    "the subscript {number} is not between 1 and {size}"
                ));
            }
            let within = self.bounded(index, size);
            inside = self.and(inside, within);
            let mut next = Vec::new();
            for (position, here) in chosen {
                for k in 0..size {
                    let number = self.graph.constant((k + 1) as f64);
                    let same = self.graph.compare(RelOp::Equal, index, number);
                    let both = self.and(here, same);
                    if self.graph.value(both) != Some(0.0) {
                        next.push((position * size + k, both));
                    }
                }
            }
            chosen = next;
        }
        if value.items.len() != width {
            return Err("an assignment has sides of different size".to_owned());
        }
        // An assignment beyond the bounds leaves nothing that could be read.
        let nothing = self.graph.constant(f64::NAN);
        for (position, here) in chosen {
            for k in 0..width {
                let at = position * width + k;
                let kept = self.graph.select(inside, whole.items[at], nothing);
                let merged = self.graph.select(here, value.items[k], kept);
                self.set(members[at].index() as u32, merged);
            }
        }
        Ok(())
    }
}
