//! One instant, or one stretch between events: all equations are tried over and over until every value is found.

use crate::eval::{Node, Phase, Scope, Target, node, target, variable};
use crate::value::{Poly, Result, Stop, Value, unsupported};
use modeshift_flat::model::{Algorithm, Equation, EquationKind, FlatExp, FlatRef, VarId};
use modeshift_inst::exp::{Callee, Exp, Subscript};
use modeshift_inst::ty::Type;

/// Something that gives values.
#[derive(Clone, Copy)]
pub enum Task<'m> {
    Equation(&'m Equation),
    /// Of a `when` that fires.
    Fired(&'m Equation),
    Binding(VarId, &'m FlatExp),
    Algorithm(&'m Algorithm),
    /// `v = pre(v)`.
    Hold(VarId),
    /// The condition of a `when` at the start, where it only has to be remembered.
    Condition(&'m FlatExp),
}

/// What a `reinit` wants.
pub type Reinits = Vec<(VarId, Value)>;

impl<'m> Scope<'m> {
    /// Solves all tasks. `choose` is asked for one more value when nothing else helps; whether it gave one.
    pub fn solve(
        &mut self,
        mut tasks: Vec<Task<'m>>,
        choose: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Result<Reinits> {
        let mut reinits = Vec::new();
        while !tasks.is_empty() {
            let mut left = Vec::new();
            let mut progress = false;
            for task in tasks {
                match self.attempt(task, &mut reinits) {
                    Ok(more) => {
                        progress = true;
                        left.extend(more);
                    }
                    Err(Stop::Unknown) => left.push(task),
                    Err(stop) => return Err(stop),
                }
            }
            if !progress && !choose(self) {
                return Err(Stop::Unsupported(
                    "values that depend on each other".to_owned(),
                ));
            }
            tasks = left;
        }
        Ok(reinits)
    }

    fn attempt(&mut self, task: Task<'m>, reinits: &mut Reinits) -> Result<Vec<Task<'m>>> {
        match task {
            Task::Binding(var, exp) => {
                let value = self.eval(exp)?;
                self.set(Target::Value(var), value)?;
            }
            Task::Hold(var) => match (&self.values[var.index()], &self.pre[var.index()]) {
                (None, Some(value)) => self.set(Target::Value(var), value.clone())?,
                (Some(value), None) => self.set(Target::Pre(var), value.clone())?,
                (Some(value), Some(pre)) if !value.same(pre) => {
                    return Err(Stop::Unsupported(
                        "values that contradict each other".to_owned(),
                    ));
                }
                (Some(_), Some(_)) => {}
                (None, None) => return Err(Stop::Unknown),
            },
            Task::Algorithm(algorithm) => self.run(algorithm)?,
            Task::Condition(condition) => {
                self.fires(condition)?;
            }
            Task::Equation(equation) => return self.equation(equation, reinits),
            Task::Fired(equation) => {
                self.literal = true;
                let done = self.equation(equation, reinits);
                self.literal = false;
                let into_fired = |task: Task<'m>| match task {
                    Task::Equation(equation) => Task::Fired(equation),
                    other => other,
                };
                return done.map(|tasks| tasks.into_iter().map(into_fired).collect());
            }
        }
        Ok(Vec::new())
    }

    fn equation(&mut self, equation: &'m Equation, reinits: &mut Reinits) -> Result<Vec<Task<'m>>> {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => self.equality(lhs, rhs).map(|()| Vec::new()),
            EquationKind::If { branches, else_ } => {
                let mut taken = None;
                for (condition, body) in branches {
                    let truth = self.eval(condition)?.truth();
                    if truth == Some(true) && taken.is_none() {
                        taken = Some(body);
                    }
                }
                let body = taken.unwrap_or(else_);
                Ok(body.iter().map(Task::Equation).collect())
            }
            EquationKind::When { branches } => {
                let mut fired = None;
                let mut tasks: Vec<Task<'m>> = Vec::new();
                for (condition, body) in branches {
                    let fires = if self.phase == Phase::Initial {
                        tasks.push(Task::Condition(condition));
                        elements(condition).iter().any(is_initial)
                    } else {
                        self.fires(condition)?
                    };
                    if fires && fired.is_none() {
                        fired = Some(body);
                    }
                }
                let mut given = Vec::new();
                if let Some(body) = fired {
                    assigned(body, &mut given);
                    tasks.extend(body.iter().map(Task::Fired));
                }
                let mut all = Vec::new();
                branches
                    .iter()
                    .for_each(|(_, body)| assigned(body, &mut all));
                all.retain(|var| !given.contains(var));
                all.sort_unstable();
                all.dedup();
                tasks.extend(all.into_iter().map(Task::Hold));
                Ok(tasks)
            }
            EquationKind::Reinit { variable: x, value } => {
                let Some(x) = variable(x) else {
                    return unsupported(x);
                };
                let value = self.eval(value)?;
                reinits.push((x, self.typed(x, value)));
                Ok(Vec::new())
            }
            EquationKind::Assert { .. } => Ok(Vec::new()),
            other => unsupported(other),
        }
    }

    /// Whether a condition of `when` becomes true. All its elements are remembered.
    pub fn fires(&mut self, condition: &FlatExp) -> Result<bool> {
        let mut values = Vec::new();
        for element in elements(condition) {
            let value = self.eval(element)?.truth();
            let value = value.map_or_else(|| unsupported(element), Ok)?;
            values.push((node(element), value, is_initial(element)));
        }
        let mut fires = false;
        for (at, value, initial) in values {
            self.conditions_now.insert(at, value);
            fires |= match self.phase {
                Phase::Initial => initial,
                Phase::Event => value && !self.was(at),
                Phase::Between => false,
            };
        }
        Ok(fires)
    }

    fn was(&self, at: Node) -> bool {
        self.conditions.get(&at).copied().unwrap_or(false)
    }

    fn equality(&mut self, lhs: &FlatExp, rhs: &FlatExp) -> Result<()> {
        let mut unknown = Vec::new();
        for side in [lhs, rhs] {
            self.occurrences(side, &mut |found| {
                if self.get(found).is_none() && !unknown.contains(&found) {
                    unknown.push(found);
                }
            });
        }
        // A state follows from its derivative, never from an equation that reads it.
        if self.phase == Phase::Between
            && unknown
                .iter()
                .any(|u| matches!(u, Target::Value(x) if self.states.contains(x)))
        {
            return Err(Stop::Unknown);
        }
        let [wanted] = unknown[..] else {
            if !unknown.is_empty() {
                return Err(Stop::Unknown);
            }
            let (a, b) = (self.eval(lhs)?, self.eval(rhs)?);
            let fits = match (a.poly(), b.poly()) {
                (Some(a), Some(b)) => (a.at(0.0) - b.at(0.0)).abs() < 1e-9,
                _ => a == b,
            };
            let contradiction =
                Stop::Unsupported("equations that contradict each other".to_owned());
            return if fits { Ok(()) } else { Err(contradiction) };
        };
        for (alone, other) in [(lhs, rhs), (rhs, lhs)] {
            let mut inside = false;
            self.occurrences(other, &mut |found| inside |= found == wanted);
            if target(alone) == Some(wanted) && !inside {
                let value = self.eval(other)?;
                return self.set(wanted, value);
            }
        }
        // Linear in what is wanted: the residual at zero and at one tells its value.
        let mut residual = |value: f64| -> Result<Poly> {
            self.put(wanted, Some(Value::real(value)));
            let sides = (self.eval(lhs), self.eval(rhs));
            self.put(wanted, None);
            match (sides.0?.poly(), sides.1?.poly()) {
                (Some(a), Some(b)) => Ok(a.add(&b, -1.0)),
                _ => unsupported(lhs),
            }
        };
        let (at_zero, at_one) = (residual(0.0)?, residual(1.0)?);
        let slope = at_one.add(&at_zero, -1.0);
        if slope.degree() > 0 || slope.powers[0] == 0.0 {
            return unsupported(lhs);
        }
        let factor = Poly::number(-1.0 / slope.powers[0], slope.exact);
        self.set(wanted, Value::Real(at_zero.mul(&factor)))
    }

    /// All values, left limits and derivatives that an expression reads. Relations that are held need nothing.
    pub fn occurrences(&self, exp: &FlatExp, each: &mut dyn FnMut(Target)) {
        if self.is_held(exp) {
            return;
        }
        if let Exp::Call(call) = exp
            && let Callee::Builtin(name) = &call.function
            && let [Exp::Ref(FlatRef::Var(var))] = call.args.as_slice()
        {
            match name.as_str() {
                "der" => return each(Target::Derivative(*var)),
                "pre" => return each(Target::Pre(*var)),
                "edge" | "change" => {
                    each(Target::Value(*var));
                    return each(Target::Pre(*var));
                }
                _ => {}
            }
        }
        match exp {
            Exp::Ref(FlatRef::Var(var)) => each(Target::Value(*var)),
            // Any of them may be chosen.
            Exp::Ref(FlatRef::Element(group, _)) => {
                let members = self.model.groups[*group].members.iter();
                members.for_each(|&var| each(Target::Value(var)));
            }
            // What was is known, but at the start.
            Exp::Call(call) if is_call(&call.function, "delay") && !self.history.is_empty() => {
                return;
            }
            _ => {}
        }
        children(exp, &mut |part| self.occurrences(part, each));
    }

    fn get(&self, target: Target) -> Option<&Value> {
        match target {
            Target::Value(var) => self.values[var.index()].as_ref(),
            Target::Pre(var) => self.pre[var.index()].as_ref(),
            Target::Derivative(var) => self.derivatives[var.index()].as_ref(),
        }
    }

    fn put(&mut self, target: Target, value: Option<Value>) {
        match target {
            Target::Value(var) => self.values[var.index()] = value,
            Target::Pre(var) => self.pre[var.index()] = value,
            Target::Derivative(var) => self.derivatives[var.index()] = value,
        }
    }

    pub fn typed(&self, var: VarId, value: Value) -> Value {
        match (&self.model.variables[var].ty, value.poly()) {
            (Type::Real, Some(poly)) => Value::Real(poly),
            _ => value,
        }
    }

    pub fn set(&mut self, target: Target, value: Value) -> Result<()> {
        match target {
            Target::Value(var) | Target::Pre(var) => {
                if self.literal {
                    self.assigned.insert(var);
                }
                let value = self.typed(var, value);
                self.put(target, Some(value));
            }
            Target::Derivative(var) => {
                if self.phase == Phase::Between
                    && let (Some(slope), Some(Value::Real(start))) =
                        (value.poly(), &self.pre[var.index()])
                {
                    self.values[var.index()] = Some(Value::Real(slope.integral(start.at(0.0))));
                }
                self.put(target, Some(value));
            }
        }
        Ok(())
    }
}

/// The conditions of `when {a, b}`.
fn elements(condition: &FlatExp) -> &[FlatExp] {
    match condition {
        Exp::Array(elements, _) => elements,
        one => std::slice::from_ref(one),
    }
}

fn is_initial(exp: &FlatExp) -> bool {
    matches!(exp, Exp::Call(call) if is_call(&call.function, "initial"))
}

pub fn is_call(callee: &Callee, built_in: &str) -> bool {
    matches!(callee, Callee::Builtin(name) if name.as_str() == built_in)
}

/// The variables that the equations of a `when` give.
fn assigned(body: &[Equation], out: &mut Vec<VarId>) {
    for equation in body {
        match &equation.kind {
            EquationKind::Equality { lhs, .. } => out.extend(variable(lhs)),
            EquationKind::If { branches, else_ } => {
                branches.iter().for_each(|(_, body)| assigned(body, out));
                assigned(else_, out);
            }
            _ => {}
        }
    }
}

/// The direct parts of an expression. What the interpreter does not know has none.
pub fn children(exp: &FlatExp, each: &mut dyn FnMut(&FlatExp)) {
    match exp {
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => each(inner),
        Exp::Binary(_, sides) => {
            each(&sides.0);
            each(&sides.1);
        }
        Exp::If(inner) => {
            each(&inner.condition);
            each(&inner.then);
            each(&inner.else_);
        }
        Exp::Call(call) => call.args.iter().for_each(each),
        Exp::Array(items, _) => items.iter().for_each(each),
        Exp::Ref(FlatRef::Element(_, subscripts)) => {
            for subscript in subscripts {
                if let Subscript::Index(index) = subscript {
                    each(index);
                }
            }
        }
        _ => {}
    }
}

/// An expression with all its parts.
pub fn all_parts(exp: &FlatExp, visit: &mut dyn FnMut(&FlatExp)) {
    visit(exp);
    children(exp, &mut |part| all_parts(part, visit));
}
