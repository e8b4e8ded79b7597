//! Variables of a function that are read before anything gives them a value.
//!
//! Only what is certain is reported: no path through the statements assigns the variable before it is read.

use crate::model::{FlatExp, FlatRef, Function, FunctionBody, Place, Statement, StatementKind};
use crate::walk::walk_while;
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{Causality, Type};

/// Names are given with the place of the statement that reads them first. Linear in the function, for each loop nested in
/// another once more.
pub(super) fn read_before_assigned(function: &Function) -> Vec<Diagnostic<Place>> {
    let FunctionBody::Algorithm(statements) = &function.body else {
        return Vec::new();
    };
    let scalars = function.locals.iter().filter(|it| {
        it.causality != Some(Causality::Input)
            && it.binding.is_none()
            && it.dims.is_empty()
            && matches!(
                it.ty,
                Type::Real | Type::Integer | Type::Boolean | Type::String
            )
    });
    let mut reader = Reader {
        open: scalars.map(|it| it.name).collect(),
        in_loop: false,
        found: Vec::new(),
    };
    if reader.open.is_empty() {
        return Vec::new();
    }
    reader.statements(statements);
    let told = reader.found.into_iter().map(|(name, place)| {
        Diagnostic::new(
            Code::MS2053,
            format!("`{name}` is read before it has a value"),
        )
        .label(place, format!("nothing has assigned `{name}` before this"))
        .note(format!(
            "give `{name}` its first value in a statement before this, or in its declaration: `{name} := …`"
        ))
    });
    told.collect()
}

struct Reader {
    /// Variables that nothing can have assigned yet.
    open: FxHashSet<Name>,
    /// Inside a loop what a condition guards may be reached in a later round only.
    in_loop: bool,
    found: Vec<(Name, Place)>,
}

impl Reader {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.open.is_empty() {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let place = statement.origin.span;
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => {
                self.reads(value, place);
                self.assigned(target);
            }
            StatementKind::If { branches, else_ } => {
                let before = self.open.clone();
                let mut after = before.clone();
                let bodies = branches.iter().map(|(_, body)| body.as_slice());
                for (condition, _) in branches.iter().take(1) {
                    self.reads(condition, place);
                }
                for body in bodies.chain([else_.as_slice()]) {
                    self.open.clone_from(&before);
                    if self.in_loop {
                        let mut targets = FxHashSet::default();
                        targets_of(body, &mut targets);
                        after.retain(|it| !targets.contains(it));
                    } else {
                        self.statements(body);
                        after.retain(|it| self.open.contains(it));
                    }
                }
                self.open = after;
            }
            StatementKind::For { range, body, .. } => {
                if let Some(range) = range {
                    self.reads(range, place);
                }
                self.round(body);
            }
            StatementKind::While { condition, body } => {
                self.reads(condition, place);
                self.round(body);
            }
            StatementKind::Assert { condition, .. } => self.reads(condition, place),
            StatementKind::Call(call) => self.reads(call, place),
            // What else assigns is not followed.
            _ => {
                let mut targets = FxHashSet::default();
                targets_of(std::slice::from_ref(statement), &mut targets);
                self.open.retain(|it| !targets.contains(it));
            }
        }
    }

    /// The first round of a loop.
    fn round(&mut self, body: &[Statement]) {
        let before = std::mem::replace(&mut self.in_loop, true);
        self.statements(body);
        self.in_loop = before;
    }

    fn reads(&mut self, exp: &FlatExp, place: Place) {
        let (open, found) = (&mut self.open, &mut self.found);
        walk_while(exp, &mut |part| {
            match part {
                Exp::Ref(FlatRef::Local(local)) => {
                    if let [(name, _)] = local.parts.as_slice()
                        && open.remove(name)
                    {
                        found.push((*name, place));
                    }
                }
                // What is not computed, or not in every round.
                Exp::If(_) => return false,
                Exp::Call(call) => {
                    return !matches!(&call.function, Callee::Builtin(name) if *name == "size" || *name == "ndims");
                }
                _ => {}
            }
            true
        });
    }

    fn assigned(&mut self, target: &FlatExp) {
        let mut names = FxHashSet::default();
        names_in(target, &mut names);
        self.open.retain(|it| !names.contains(it));
    }
}

/// Whatever a target names counts as assigned.
fn names_in(target: &FlatExp, names: &mut FxHashSet<Name>) {
    walk_while(target, &mut |part| {
        if let Exp::Ref(FlatRef::Local(local)) = part {
            names.extend(local.parts.first().map(|(name, _)| *name));
        }
        true
    });
}

fn targets_of(statements: &[Statement], names: &mut FxHashSet<Name>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } => names_in(target, names),
            StatementKind::If { branches, else_ } => {
                branches
                    .iter()
                    .for_each(|(_, body)| targets_of(body, names));
                targets_of(else_, names);
            }
            StatementKind::When { branches } => {
                branches
                    .iter()
                    .for_each(|(_, body)| targets_of(body, names));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                targets_of(body, names);
            }
            _ => {}
        }
    }
}
