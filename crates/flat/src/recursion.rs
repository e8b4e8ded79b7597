//! Functions that call themselves without end.
//!
//! A recursive function usually counts an Integer down. Where a model calls it with a known number, the calls that follow
//! are traced with the arguments that are known; what is not known is left open, and a branch that it decides is not
//! taken. So only a recursion that certainly happens is reported. The work is bounded by [`MAX_CALLS`].

use crate::model::{
    EquationKind, FlatExp, FlatModel, FlatRef, Function, FunctionBody, Place, Statement,
    StatementKind,
};
use crate::walk::walk;
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Variability};
use std::sync::Arc;

/// Calls inside each other that are followed.
const MAX_DEPTH: usize = 5000;
/// Different calls of one function that are traced.
const MAX_CALLS: usize = 20_000;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Known {
    Int(i64),
    Bool(bool),
}

/// The arguments of a call, as far as they are known.
type Arguments = Vec<Option<Known>>;

/// One message for each function that certainly calls itself without end.
pub(crate) fn endless(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let recursive: Vec<&Function> = model
        .functions
        .iter()
        .filter(|it| calls_itself(it))
        .collect();
    if recursive.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for function in recursive {
        let mut entries = Vec::new();
        for equation in &model.equations {
            if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind {
                for side in [lhs, rhs] {
                    let mut calls = Vec::new();
                    collect(model, &function.name, side, &Env::default(), &mut calls);
                    entries.extend(calls.into_iter().map(|call| (call, equation.origin.span)));
                }
            }
        }
        for variable in &model.variables {
            if let Some(binding) = &variable.binding {
                let mut calls = Vec::new();
                collect(model, &function.name, binding, &Env::default(), &mut calls);
                entries.extend(calls.into_iter().map(|call| (call, variable.origin.span)));
            }
        }
        let mut trace = Trace {
            model,
            function,
            done: FxHashSet::default(),
        };
        let endless = entries
            .into_iter()
            .find_map(|(call, place)| Some((trace.follow(call)?, place)));
        if let Some((chain, place)) = endless {
            found.push(message(function, &chain, place));
        }
    }
    found
}

fn message(function: &Function, chain: &[Arguments], place: Place) -> Diagnostic<Place> {
    let name = function.name.rsplit('.').next().unwrap_or(&function.name);
    let written = |call: &Arguments| {
        let arguments = call.iter().map(|argument| match argument {
            Some(Known::Int(value)) => value.to_string(),
            Some(Known::Bool(value)) => value.to_string(),
            None => "…".to_owned(),
        });
        format!("`{name}({})`", arguments.collect::<Vec<_>>().join(", "))
    };
    let calls: Vec<String> = chain.iter().take(4).map(written).collect();
    Diagnostic::new(Code::MS2079, format!("`{name}` calls itself without end"))
        .label(function.origin.span, "this function")
        .label(place, "called here")
        .note(format!("{} and so on", calls.join(" calls ")))
        .note("add the case in which the function does not call itself, or check that the arguments reach it")
}

fn calls_itself(function: &Function) -> bool {
    let FunctionBody::Algorithm(statements) = &function.body else {
        return false;
    };
    let mut found = false;
    for statement in statements {
        crate::walk::statement_exps(statement, &mut |exp| {
            walk(exp, &mut |part| {
                if let Exp::Call(call) = part {
                    found |= matches!(&call.function, Callee::User(name) if *name == function.name);
                }
            });
        });
    }
    found
}

/// Variables of a function whose values are known.
#[derive(Clone, Default)]
struct Env {
    values: FxHashMap<Name, Known>,
}

struct Trace<'m> {
    model: &'m FlatModel,
    function: &'m Function,
    /// Calls that end.
    done: FxHashSet<Arguments>,
}

impl Trace<'_> {
    /// The first calls of a chain that does not end.
    fn follow(&mut self, first: Arguments) -> Option<Vec<Arguments>> {
        let mut path: Vec<(Arguments, Vec<Arguments>)> = Vec::new();
        let mut on_path: FxHashSet<Arguments> = FxHashSet::default();
        let mut next = Some(first);
        loop {
            if let Some(call) = next.take() {
                if on_path.contains(&call) || path.len() >= MAX_DEPTH {
                    let mut chain: Vec<Arguments> =
                        path.into_iter().map(|(call, _)| call).collect();
                    chain.push(call);
                    return Some(chain);
                }
                if !self.done.contains(&call) {
                    if self.done.len() > MAX_CALLS {
                        return None;
                    }
                    on_path.insert(call.clone());
                    let calls = self.calls(&call);
                    path.push((call, calls));
                }
            }
            let (call, waiting) = path.last_mut()?;
            match waiting.pop() {
                Some(inner) => next = Some(inner),
                None => {
                    on_path.remove(call);
                    self.done.insert(call.clone());
                    path.pop();
                }
            }
        }
    }

    /// The calls of itself that a call certainly makes.
    fn calls(&self, arguments: &Arguments) -> Vec<Arguments> {
        let FunctionBody::Algorithm(statements) = &self.function.body else {
            return Vec::new();
        };
        let mut env = Env::default();
        let inputs = self.function.locals.iter();
        let inputs = inputs.filter(|it| it.causality == Some(Causality::Input));
        for (input, argument) in inputs.zip(arguments) {
            if let Some(value) = argument {
                env.values.insert(input.name, *value);
            }
        }
        let mut calls = Vec::new();
        self.run(statements, &mut env, &mut calls);
        calls
    }

    /// Runs statements as far as that is certain. Gives whether what follows them is reached.
    fn run(&self, statements: &[Statement], env: &mut Env, calls: &mut Vec<Arguments>) -> bool {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    collect(self.model, &self.function.name, value, env, calls);
                    let value = evaluate(self.model, value, env);
                    set(target, value, env);
                }
                StatementKind::If { branches, else_ } => {
                    let mut taken = Some(&else_[..]);
                    for (condition, body) in branches {
                        match evaluate(self.model, condition, env) {
                            Some(Known::Bool(true)) => {
                                taken = Some(body);
                                break;
                            }
                            Some(Known::Bool(false)) => {}
                            _ => {
                                taken = None;
                                break;
                            }
                        }
                    }
                    match taken {
                        Some(body) => {
                            if !self.run(body, env, calls) {
                                return false;
                            }
                        }
                        // What an open condition decides may end the function.
                        None => return false,
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

fn set(target: &FlatExp, value: Option<Known>, env: &mut Env) {
    if let Exp::Ref(FlatRef::Local(local)) = target
        && let Some((name, subscripts)) = local.parts.first()
    {
        match value.filter(|_| subscripts.is_empty() && local.parts.len() == 1) {
            Some(value) => env.values.insert(*name, value),
            None => env.values.remove(name),
        };
    }
}

/// The calls of a function that evaluating an expression certainly makes.
fn collect(
    model: &FlatModel,
    name: &Arc<str>,
    exp: &FlatExp,
    env: &Env,
    calls: &mut Vec<Arguments>,
) {
    crate::walk::walk_while(exp, &mut |part| match part {
        Exp::If(choice) => {
            collect(model, name, &choice.condition, env, calls);
            match evaluate(model, &choice.condition, env) {
                Some(Known::Bool(true)) => collect(model, name, &choice.then, env, calls),
                Some(Known::Bool(false)) => collect(model, name, &choice.else_, env, calls),
                _ => {}
            }
            false
        }
        // How often their bodies are evaluated is not known.
        Exp::Reduction(_) => false,
        Exp::Call(call) => {
            if matches!(&call.function, Callee::User(callee) if callee == name) {
                let arguments = call.args.iter().map(|it| evaluate(model, it, env));
                calls.push(arguments.collect());
            }
            true
        }
        _ => true,
    });
}

/// The value of an Integer or Boolean expression, if it is known.
fn evaluate(model: &FlatModel, exp: &FlatExp, env: &Env) -> Option<Known> {
    use BinaryOp as B;
    Some(match exp {
        Exp::Int(value) => Known::Int(*value),
        Exp::Bool(value) => Known::Bool(*value),
        Exp::Ref(FlatRef::Local(local)) => match &local.parts[..] {
            [(name, subscripts)] if subscripts.is_empty() => *env.values.get(name)?,
            _ => return None,
        },
        Exp::Ref(FlatRef::Var(id)) => {
            let variable = &model.variables[*id];
            match &variable.binding {
                Some(Exp::Int(value)) if variable.variability <= Variability::Parameter => {
                    Known::Int(*value)
                }
                _ => return None,
            }
        }
        Exp::Unary(op, operand) => match (op, evaluate(model, operand, env)?) {
            (UnaryOp::Neg, Known::Int(value)) => Known::Int(value.checked_neg()?),
            (UnaryOp::Not, Known::Bool(value)) => Known::Bool(!value),
            _ => return None,
        },
        Exp::Binary(op, sides) => {
            let (a, b) = (
                evaluate(model, &sides.0, env)?,
                evaluate(model, &sides.1, env)?,
            );
            match (op, a, b) {
                (B::Add, Known::Int(a), Known::Int(b)) => Known::Int(a.checked_add(b)?),
                (B::Sub, Known::Int(a), Known::Int(b)) => Known::Int(a.checked_sub(b)?),
                (B::Mul, Known::Int(a), Known::Int(b)) => Known::Int(a.checked_mul(b)?),
                (B::Less, Known::Int(a), Known::Int(b)) => Known::Bool(a < b),
                (B::LessEq, Known::Int(a), Known::Int(b)) => Known::Bool(a <= b),
                (B::Greater, Known::Int(a), Known::Int(b)) => Known::Bool(a > b),
                (B::GreaterEq, Known::Int(a), Known::Int(b)) => Known::Bool(a >= b),
                (B::Equal, a, b) => Known::Bool(a == b),
                (B::NotEqual, a, b) => Known::Bool(a != b),
                (B::And, Known::Bool(a), Known::Bool(b)) => Known::Bool(a && b),
                (B::Or, Known::Bool(a), Known::Bool(b)) => Known::Bool(a || b),
                _ => return None,
            }
        }
        _ => return None,
    })
}
