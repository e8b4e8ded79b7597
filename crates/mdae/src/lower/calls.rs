//! Calls of functions whose arguments are known before simulation: `Modelica.Math.isEqual(eta, 1, eps)`.
//!
//! What such a call gives decides about equations as much as a literal would. Functions run here that are pure, written in Modelica
//! and short, on numbers and arrays of numbers; they get few steps, because a check must not take long.

use super::constants::Value;
use super::tables::{LOOK_UP, MAKE};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_code::{Argument, Runtime, Shape, Site, Wanted};
use modeshift_flat::model::{
    FlatExp, FlatModel, FlatRef, Function, FunctionBody, GroupId, Statement, StatementKind, VarId,
};
use modeshift_flat::walk;
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::sync::{Arc, OnceLock};

/// Functions with more expressions than this are not looked at.
const MAX_EXPRESSIONS: usize = 400;

/// Arrays with more elements are no constants.
const MAX_ELEMENTS: usize = 200;

/// Steps of one call.
const MAX_STEPS: u64 = 100_000;

/// The functions of a model that may run before simulation.
#[derive(Default)]
pub(super) struct Calls {
    functions: Vec<Function>,
    /// Arrays of constants and parameters.
    groups: FxHashMap<GroupId, (Shape, Vec<VarId>)>,
    /// Functions that are a predefined one by another name.
    predefined: FxHashMap<Arc<str>, Name>,
    /// Functions that look a one-dimensional table up, and the tables: matrix, columns, smoothness.
    lookups: FxHashSet<Arc<str>>,
    tables: FxHashMap<VarId, [FlatExp; 3]>,
    /// Compiled when one is needed.
    runtime: OnceLock<Runtime>,
}

impl Calls {
    /// Linear in the text of the functions.
    pub(super) fn new(flat: &FlatModel) -> Self {
        let functions = runnable(&flat.functions);
        let (lookups, tables) = tables(flat);
        let mut groups = FxHashMap::default();
        if !functions.is_empty() || !tables.is_empty() {
            for (id, group) in flat.groups.iter_enumerated() {
                let first = group.members.first();
                let fixed = first.is_some_and(|&first| {
                    flat.variables[first].variability <= Variability::Parameter
                });
                if fixed
                    && group.members.len() <= MAX_ELEMENTS
                    && let Some(shape @ Shape::Leaf(_)) = Shape::of(&group.ty)
                {
                    groups.insert(id, (shape, group.members.clone()));
                }
            }
        }
        Self {
            functions: functions.into_iter().cloned().collect(),
            predefined: predefined(&flat.functions),
            groups,
            lookups,
            tables,
            runtime: OnceLock::new(),
        }
    }

    /// The predefined function that this one is: `Modelica.Math.sin` is `sin`, whose values and derivatives the analysis knows.
    pub(super) fn predefined(&self, name: &str) -> Option<Name> {
        self.predefined.get(name).copied()
    }

    /// The elements of an array of constants and parameters.
    pub(super) fn members(&self, group: GroupId) -> Option<&(Shape, Vec<VarId>)> {
        self.groups.get(&group)
    }

    /// The table that a call looks up, with the expressions for the column and the argument.
    pub(super) fn looked_up<'e>(
        &'e self,
        name: &str,
        args: &'e [FlatExp],
    ) -> Option<(&'e [FlatExp; 3], &'e FlatExp, &'e FlatExp)> {
        match args {
            [Exp::Ref(FlatRef::Var(table)), column, u] if self.lookups.contains(name) => {
                Some((self.tables.get(table)?, column, u))
            }
            _ => None,
        }
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.functions
            .iter()
            .any(|function| *function.name == *name)
    }

    /// What a function gives for these arguments, each a shape with its numbers.
    pub(super) fn value(&self, name: &str, args: &[(Shape, Vec<f64>)], ty: &Type) -> Option<Value> {
        let runtime = self
            .runtime
            .get_or_init(|| Runtime::limited(&self.functions, MAX_STEPS));
        let shapes: Vec<Argument> = args
            .iter()
            .map(|(shape, _)| Argument::Value(shape.clone()))
            .collect();
        let site = Site::new(&runtime.library, name, &shapes, &[Shape::SCALAR]).ok()?;
        let numbers: Vec<f64> = args
            .iter()
            .flat_map(|(_, numbers)| numbers)
            .copied()
            .collect();
        if !site.pure || site.n_args() != numbers.len() || site.n_results() != 1 {
            return None;
        }
        let mut out = Vec::new();
        let wanted = Wanted {
            order: 0,
            times: 0,
            by: &[],
        };
        runtime.evaluate(&site, wanted, &numbers, &mut out).ok()?;
        let value = *out.first().filter(|value| value.is_finite())?;
        match ty {
            Type::Real => Some(Value::Real(value)),
            Type::Integer => Some(Value::Int(value as i64)),
            Type::Boolean => Some(Value::Bool(value != 0.0)),
            _ => None,
        }
    }
}

/// The functions that look tables up, and the tables whose matrices are part of the model.
fn tables(flat: &FlatModel) -> (FxHashSet<Arc<str>>, FxHashMap<VarId, [FlatExp; 3]>) {
    let (mut lookups, mut makers) = (FxHashSet::default(), FxHashSet::default());
    for function in &flat.functions {
        if let FunctionBody::External { name, .. } = &function.body {
            if name.starts_with(MAKE) {
                makers.insert(function.name.clone());
            } else if **name == *LOOK_UP {
                lookups.insert(function.name.clone());
            }
        }
    }
    let mut tables = FxHashMap::default();
    if !makers.is_empty() && !lookups.is_empty() {
        for (id, variable) in flat.variables.iter_enumerated() {
            if let Some(Exp::Call(call)) = &variable.binding
                && let Callee::User(maker) = &call.function
                && makers.contains(maker)
                && let [
                    Exp::Str(name),
                    Exp::Str(file),
                    matrix,
                    columns,
                    smoothness,
                    ..,
                ] = &call.args[..]
                && &**name == "NoName"
                && &**file == "NoName"
            {
                let parts = [matrix.clone(), columns.clone(), smoothness.clone()];
                tables.insert(id, parts);
            }
        }
    }
    (lookups, tables)
}

/// A column of a table at `u`: of one row, or between two.
pub(super) fn interpolated(
    (shape, numbers): &(Shape, Vec<f64>),
    column: usize,
    linear: bool,
    u: f64,
) -> Option<f64> {
    let Shape::Leaf(dims) = shape else {
        return None;
    };
    let [n, width] = dims[..] else {
        return None;
    };
    if n * width != numbers.len() || column >= width || n == 0 {
        return None;
    }
    let of = |row: usize| (numbers[row * width], numbers[row * width + column]);
    if n == 1 {
        return Some(of(0).1);
    }
    let after = (1..n).find(|&row| u <= of(row).0)?;
    let (a, b) = (of(after - 1), of(after));
    let inside = linear && u >= a.0 && b.0 > a.0;
    inside.then(|| a.1 + (b.1 - a.1) * ((u - a.0) / (b.0 - a.0)))
}

/// Predefined functions of one number that are smooth where they have values.
const SMOOTH: [&str; 13] = [
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
    "log10",
];

/// Functions whose body is `y := sin(u)`, with `u` their input and `y` their output.
fn predefined(functions: &[Function]) -> FxHashMap<Arc<str>, Name> {
    let named = |exp: &FlatExp, name: Name| match exp {
        Exp::Ref(FlatRef::Local(local)) => {
            matches!(&local.parts[..], [(part, subscripts)] if *part == name && subscripts.is_empty())
        }
        _ => false,
    };
    let builtin = |function: &Function| -> Option<Name> {
        let FunctionBody::Algorithm(statements) = &function.body else {
            return None;
        };
        let [
            Statement {
                kind: StatementKind::Assign { target, value, .. },
                ..
            },
        ] = &statements[..]
        else {
            return None;
        };
        let (Exp::Call(call), [first, second]) = (value, &function.locals[..]) else {
            return None;
        };
        let plain = [first, second].iter().all(|local| {
            local.ty == Type::Real && local.dims.is_empty() && local.binding.is_none()
        });
        let (input, output) = match (first.causality, second.causality) {
            (Some(Causality::Input), Some(Causality::Output)) => (first, second),
            (Some(Causality::Output), Some(Causality::Input)) => (second, first),
            _ => return None,
        };
        let Callee::Builtin(name) = &call.function else {
            return None;
        };
        let [argument] = &call.args[..] else {
            return None;
        };
        let same = plain && named(target, output.name) && named(argument, input.name);
        (same && SMOOTH.contains(&name.as_str())).then_some(*name)
    };
    functions
        .iter()
        .filter_map(|function| Some((function.name.clone(), builtin(function)?)))
        .collect()
}

/// Functions that may run, and call none but such.
fn runnable(functions: &[Function]) -> Vec<&Function> {
    let mut found: FxHashMap<&str, (&Function, Vec<&str>)> = FxHashMap::default();
    for function in functions.iter().filter(|function| is_plain(function)) {
        let FunctionBody::Algorithm(statements) = &function.body else {
            continue;
        };
        let mut n = 0;
        let mut calls: Vec<&str> = Vec::new();
        let mut allowed = true;
        let mut see = |exp: &FlatExp| {
            n += 1;
            match exp {
                Exp::PartialFunction(..) | Exp::Str(_) => allowed = false,
                Exp::Call(call) => {
                    if let Callee::User(name) = &call.function {
                        let own = functions.iter().find(|other| other.name == *name);
                        match own {
                            Some(own) => calls.push(&own.name),
                            None => allowed = false,
                        }
                    }
                }
                _ => {}
            }
        };
        for statement in statements {
            walk::statement_exps(statement, &mut |exp| walk::walk(exp, &mut see));
        }
        for local in &function.locals {
            local
                .binding
                .iter()
                .for_each(|exp| walk::walk(exp, &mut see));
        }
        if allowed && n <= MAX_EXPRESSIONS {
            found.insert(&function.name, (function, calls));
        }
    }
    // Who calls something else may not run.
    loop {
        let known: FxHashSet<&str> = found.keys().copied().collect();
        let before = found.len();
        found.retain(|_, (_, calls)| calls.iter().all(|call| known.contains(call)));
        if found.len() == before {
            break;
        }
    }
    functions
        .iter()
        .filter(|function| found.contains_key(&*function.name))
        .collect()
}

/// Whether a function is pure and all it holds are numbers.
fn is_plain(function: &Function) -> bool {
    let outputs = function.locals.iter();
    let outputs = outputs.filter(|local| local.causality == Some(Causality::Output));
    function.pure
        && outputs.count() == 1
        && function
            .locals
            .iter()
            .all(|local| matches!(local.ty, Type::Real | Type::Integer | Type::Boolean))
}
