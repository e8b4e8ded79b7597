//! Functions with `GenerateEvents = true`: their relations make events where they are called, as if their statements stood
//! there (12.8 of the specification). So they do: each call becomes the expression that the function computes.

use crate::hints;
use crate::model::{
    FlatExp, FlatModel, FlatRef, Function, FunctionBody, Place, Statement, StatementKind,
};
use crate::walk::{change_equations, change_statements, rewrite, walk};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_diag::Diagnostic;
use modeshift_inst::exp::{Callee, Exp, IfExp};
use modeshift_inst::ty::Causality;
use std::sync::Arc;

/// Calls within calls.
const MAX_DEPTH: usize = 20;
/// Larger expressions are not written out.
const MAX_SIZE: usize = 5_000;

/// The model with all such calls written out, if there are any, and what is said of those that cannot be.
pub fn written_out(model: &FlatModel) -> Option<(FlatModel, Vec<Diagnostic<Place>>)> {
    let generating = model.functions.iter();
    let generating = generating.filter(|function| function.hints.generate_events);
    let functions: FxHashMap<Arc<str>, Function> = generating
        .map(|function| (function.name.clone(), function.clone()))
        .collect();
    if functions.is_empty() {
        return None;
    }
    let mut writer = Writer {
        functions: &functions,
        left: FxHashSet::default(),
    };
    let mut model = model.clone();
    let mut change = |exp: &mut FlatExp| writer.change(exp);
    for variable in model.variables.iter_mut() {
        variable.binding.iter_mut().for_each(&mut change);
    }
    change_equations(&mut model.equations, &mut change);
    for algorithm in &mut model.algorithms {
        change_statements(&mut algorithm.statements, &mut change);
    }
    let mut left: Vec<&Arc<str>> = writer.left.iter().collect();
    left.sort();
    let told = left.into_iter().map(|name| {
        let place = functions[name].origin.span;
        hints::without_events(name, place)
    });
    Some((model, told.collect()))
}

struct Writer<'f> {
    functions: &'f FxHashMap<Arc<str>, Function>,
    /// Functions whose calls stay.
    left: FxHashSet<Arc<str>>,
}

impl Writer<'_> {
    fn change(&mut self, exp: &mut FlatExp) {
        let mut any = false;
        walk(exp, &mut |part| any |= self.called(part).is_some());
        if any {
            let old = std::mem::replace(exp, Exp::Error);
            *exp = self.written(old, 0);
        }
    }

    fn called<'e>(&self, exp: &'e FlatExp) -> Option<(&'e Arc<str>, &'e [FlatExp])> {
        match exp {
            Exp::Call(call) => match &call.function {
                Callee::User(name) if self.functions.contains_key(name) => Some((name, &call.args)),
                _ => None,
            },
            _ => None,
        }
    }

    fn written(&mut self, exp: FlatExp, depth: usize) -> FlatExp {
        rewrite(exp, &mut |part| {
            let Some((name, args)) = self.called(&part) else {
                return part;
            };
            let functions = self.functions;
            match self.value(&functions[name], args, depth) {
                Some(value) => value,
                None => {
                    self.left.insert(name.clone());
                    part
                }
            }
        })
    }

    /// The first output, for a function of scalars without loops.
    fn value(&mut self, function: &Function, args: &[FlatExp], depth: usize) -> Option<FlatExp> {
        let FunctionBody::Algorithm(statements) = &function.body else {
            return None;
        };
        if depth > MAX_DEPTH {
            return None;
        }
        let mut values: Values = FxHashMap::default();
        let mut args = args.iter();
        for local in &function.locals {
            if !local.dims.is_empty() {
                return None;
            }
            if local.causality == Some(Causality::Input) {
                values.insert(local.name, args.next()?.clone());
            } else if let Some(binding) = &local.binding {
                let value = self.substituted(binding, &values, depth)?;
                values.insert(local.name, value);
            }
        }
        self.statements(function, statements, &mut values, depth)?;
        let mut outputs = function.locals.iter();
        let output = outputs.find(|local| local.causality == Some(Causality::Output))?;
        values.remove(&output.name)
    }

    fn statements(
        &mut self,
        function: &Function,
        list: &[Statement],
        values: &mut Values,
        depth: usize,
    ) -> Option<()> {
        for statement in list {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    let name = plain(target)?;
                    let value = self.substituted(value, values, depth)?;
                    values.insert(name, value);
                }
                StatementKind::If { branches, else_ } => {
                    self.branch(function, (branches, else_), values, depth)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn branch(
        &mut self,
        function: &Function,
        (branches, else_): (&[(FlatExp, Vec<Statement>)], &[Statement]),
        values: &mut Values,
        depth: usize,
    ) -> Option<()> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.statements(function, else_, values, depth);
        };
        let condition = self.substituted(condition, values, depth)?;
        let mut then = values.clone();
        self.statements(function, body, &mut then, depth)?;
        self.branch(function, (rest, else_), values, depth)?;
        for (name, then) in then {
            match values.get_mut(&name) {
                Some(else_) if *else_ == then => {}
                Some(else_) => {
                    let mut locals = function.locals.iter();
                    let ty = locals.find(|local| local.name == name)?.ty.clone();
                    let other = std::mem::replace(else_, Exp::Error);
                    *else_ = Exp::If(Box::new(IfExp {
                        condition: condition.clone(),
                        then,
                        else_: other,
                        ty,
                    }));
                }
                // A variable that only one branch assigns has no value behind both.
                None => {}
            }
        }
        values.values().all(is_small).then_some(())
    }

    fn substituted(&mut self, exp: &FlatExp, values: &Values, depth: usize) -> Option<FlatExp> {
        let mut known = true;
        let replaced = rewrite(exp.clone(), &mut |part| match &part {
            Exp::Ref(FlatRef::Local(_)) => match plain(&part).and_then(|name| values.get(&name)) {
                Some(value) => value.clone(),
                None => {
                    known = false;
                    part
                }
            },
            _ => part,
        });
        if !known || !is_small(&replaced) {
            return None;
        }
        Some(self.written(replaced, depth + 1))
    }
}

type Values = FxHashMap<Name, FlatExp>;

fn is_small(exp: &FlatExp) -> bool {
    let mut size = 0;
    walk(exp, &mut |_| size += 1);
    size <= MAX_SIZE
}

/// A variable without subscripts and fields.
fn plain(exp: &FlatExp) -> Option<Name> {
    match exp {
        Exp::Ref(FlatRef::Local(local)) => match &local.parts[..] {
            [(name, subscripts)] if subscripts.is_empty() => Some(*name),
            _ => None,
        },
        _ => None,
    }
}
