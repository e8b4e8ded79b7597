//! Which functions are written out where they are called.
//!
//! Written out are functions whose statements are assignments and branches, few in number with all functions they
//! call: there a call would cost more than the work, and the graph would hide what is linear. Loops, assertions,
//! strings and everything that is executed for its effect stay with calls.

use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::hints::leaves_out_reals;
use modeshift_flat::model::{Function, FunctionBody, FunctionVariable, Statement, StatementKind};
use modeshift_flat::walk::{statement_exps, walk};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{Causality, Type};

/// Statements of a function with those of the functions it calls.
const MAX_STATEMENTS: usize = 40;

/// The names of functions that are written out.
pub(super) fn small(functions: &FxHashMap<String, Function>) -> FxHashSet<String> {
    let mut search = Search {
        functions,
        sizes: FxHashMap::default(),
    };
    let names = functions.keys();
    names
        .filter(|name| search.size(name, 0).is_some())
        .cloned()
        .collect()
}

struct Search<'a> {
    functions: &'a FxHashMap<String, Function>,
    sizes: FxHashMap<String, Option<usize>>,
}

impl Search<'_> {
    /// The number of statements; `None` for what is not written out.
    fn size(&mut self, name: &str, depth: usize) -> Option<usize> {
        if let Some(known) = self.sizes.get(name) {
            return *known;
        }
        if depth > 10 {
            return None;
        }
        // Who calls itself is not written out.
        self.sizes.insert(name.to_owned(), None);
        let size = self.functions.get(name).and_then(|it| self.of(it, depth));
        self.sizes.insert(name.to_owned(), size);
        size
    }

    fn of(&mut self, function: &Function, depth: usize) -> Option<usize> {
        let numeric = |ty: &Type| {
            !matches!(
                ty.element(),
                Type::String | Type::Function(_) | Type::External(_)
            )
        };
        let plain = |local: &FunctionVariable| {
            numeric(&local.ty) && (local.defaults.is_empty() || local.dims.is_empty())
        };
        if !function.pure || function.hints.wants_calls() || !function.locals.iter().all(plain) {
            return None;
        }
        let mut called = FxHashSet::default();
        let mut plain = true;
        let mut count = 1;
        for local in &function.locals {
            let causality = local.causality;
            if let (Some(binding), true) = (&local.binding, causality != Some(Causality::Input)) {
                walk(binding, &mut |exp| look(exp, &mut called, &mut plain));
            }
            for (_, value) in &local.defaults {
                walk(value, &mut |exp| look(exp, &mut called, &mut plain));
            }
        }
        match &function.body {
            FunctionBody::Algorithm(statements) => {
                plain &= statements.iter().all(|it| straight(it, &mut count));
                for statement in statements {
                    statement_exps(statement, &mut |exp| {
                        walk(exp, &mut |exp| look(exp, &mut called, &mut plain));
                    });
                }
            }
            FunctionBody::RecordConstructor => {}
            FunctionBody::External { language, .. } if **language == *"builtin" => return None,
            FunctionBody::External { name, .. } => {
                let known = matches!(
                    &**name,
                    "fabs"
                        | "pow"
                        | "fmin"
                        | "fmax"
                        | "sqrt"
                        | "sin"
                        | "cos"
                        | "tan"
                        | "asin"
                        | "acos"
                        | "atan"
                        | "atan2"
                        | "sinh"
                        | "cosh"
                        | "tanh"
                        | "exp"
                        | "log"
                        | "log10"
                );
                return known.then_some(1);
            }
            FunctionBody::Derivative { .. } | FunctionBody::Partial => return None,
        }
        if !plain {
            return None;
        }
        for name in called {
            // Only a call that stands for itself keeps what its annotation says.
            if self.functions.get(&name).is_some_and(leaves_out_reals) {
                return None;
            }
            count += self.size(&name, depth + 1)?;
        }
        (count <= MAX_STATEMENTS).then_some(count)
    }
}

fn straight(statement: &Statement, count: &mut usize) -> bool {
    *count += 1;
    match &statement.kind {
        StatementKind::Assign { .. } => true,
        StatementKind::If { branches, else_ } => {
            let mut bodies = branches.iter().map(|(_, body)| body).chain([else_]);
            bodies.all(|body| body.iter().all(|it| straight(it, count)))
        }
        _ => false,
    }
}

fn look(exp: &modeshift_flat::model::FlatExp, called: &mut FxHashSet<String>, plain: &mut bool) {
    match exp {
        Exp::Call(call) => {
            if let Callee::User(name) = &call.function {
                called.insert(name.to_string());
            }
        }
        Exp::Str(_) | Exp::PartialFunction(..) => *plain = false,
        _ => {}
    }
}
