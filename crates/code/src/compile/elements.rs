//! Arrays that need not be arrays: local variables whose elements are only used one by one, with subscripts that stand
//! in the text, are as many scalars; variables that are bound to an array of numbers and never assigned are that array.

use super::{Compiler, Local};
use crate::array::Dims;
use crate::ins::Bank;
use crate::ty::{Kind, Val};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_flat::model::{
    FlatExp, FlatRef, Function, FunctionBody, FunctionDim, FunctionVariable, LocalRef, Statement,
    StatementKind,
};
use modeshift_flat::walk::{statement_exps, walk};
use modeshift_inst::exp::{Exp, Subscript};
use modeshift_inst::ty::Type;

/// Larger arrays stay together.
const MAX_ELEMENTS: usize = 200;

/// Local arrays of Reals whose elements are used one by one, with their sizes. Linear in the text.
pub(super) fn separate(function: &Function) -> FxHashMap<Name, Dims> {
    let mut found = FxHashMap::default();
    let FunctionBody::Algorithm(statements) = &function.body else {
        return found;
    };
    for local in &function.locals {
        let plain = local.causality.is_none() && local.ty == Type::Real && local.binding.is_none();
        if plain
            && !local.dims.is_empty()
            && let Some(dims) = sizes(local)
            && dims.iter().product::<usize>() <= MAX_ELEMENTS
        {
            found.insert(local.name, dims);
        }
    }
    if found.is_empty() {
        return found;
    }
    let mut look = |exp: &FlatExp| {
        if let Exp::Ref(FlatRef::Local(local)) = exp
            && let Some((name, _)) = local.parts.first()
            && let Some(dims) = found.get(name)
            && offset(local, dims).is_none()
        {
            found.remove(name);
        }
    };
    for local in &function.locals {
        local.binding.iter().for_each(|exp| walk(exp, &mut look));
        let defaults = local.defaults.iter();
        defaults.for_each(|(_, exp)| walk(exp, &mut look));
        for dim in &local.dims {
            if let FunctionDim::Given(exp) = dim {
                walk(exp, &mut look);
            }
        }
    }
    for statement in statements {
        statement_exps(statement, &mut |exp| walk(exp, &mut look));
    }
    found
}

fn sizes(local: &FunctionVariable) -> Option<Dims> {
    let sizes = local.dims.iter().map(|dim| match dim {
        FunctionDim::Known(size) => usize::try_from(*size).ok(),
        _ => None,
    });
    sizes.collect()
}

/// The position of an element that is named by numbers.
fn offset(local: &LocalRef, dims: &[usize]) -> Option<usize> {
    let [(_, subscripts)] = &local.parts[..] else {
        return None;
    };
    if subscripts.len() != dims.len() {
        return None;
    }
    let mut at = 0;
    for (subscript, &size) in subscripts.iter().zip(dims) {
        let Subscript::Index(Exp::Int(index)) = subscript else {
            return None;
        };
        let index = usize::try_from(*index).ok()?.checked_sub(1)?;
        if index >= size {
            return None;
        }
        at = at * size + index;
    }
    Some(at)
}

/// The variables that statements assign to.
pub(super) fn assigned(function: &Function) -> FxHashSet<Name> {
    fn target(exp: &FlatExp, into: &mut FxHashSet<Name>) {
        match exp {
            Exp::Ref(FlatRef::Local(local)) => {
                into.extend(local.parts.first().map(|(name, _)| *name));
            }
            Exp::Tuple(items) => items.iter().flatten().for_each(|item| target(item, into)),
            _ => {}
        }
    }
    fn look(statements: &[Statement], into: &mut FxHashSet<Name>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target: exp, .. } => target(exp, into),
                StatementKind::If { branches, else_ } => {
                    branches.iter().for_each(|(_, body)| look(body, into));
                    look(else_, into);
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    look(body, into);
                }
                _ => {}
            }
        }
    }
    let mut all = FxHashSet::default();
    match &function.body {
        FunctionBody::Algorithm(statements) => look(statements, &mut all),
        // External functions write to what they are given.
        _ => all.extend(function.locals.iter().map(|local| local.name)),
    }
    all
}

impl Compiler<'_> {
    /// Registers for the elements of an array.
    pub(super) fn declare_elements(&mut self, name: Name, dims: &Dims) {
        let first = self.next[Bank::Real as usize];
        for _ in 0..dims.iter().product::<usize>() {
            self.take(Bank::Real);
        }
        let entry = Local {
            val: Val::Leaf(Kind::Real, 0, first),
            fixed: true,
            elements: Some(dims.clone()),
        };
        self.locals.insert(name, entry);
    }

    /// The register of an element of an array that is not kept together.
    pub(super) fn element(&self, local: &LocalRef) -> Option<Val> {
        let (name, _) = local.parts.first()?;
        let own = self.locals.get(name)?;
        let (dims, Val::Leaf(kind, _, first)) = (own.elements.as_ref()?, &own.val) else {
            return None;
        };
        let at = offset(local, dims)?;
        Some(Val::Leaf(kind.clone(), 0, first + at as u16))
    }

    /// The array of numbers that a variable always is.
    pub(super) fn constant(
        &self,
        local: &FunctionVariable,
        assigned: &FxHashSet<Name>,
    ) -> Option<Val> {
        if local.causality.is_some() || assigned.contains(&local.name) {
            return None;
        }
        let literal = self.literal_array(local.binding.as_ref()?)?;
        let (Val::Leaf(kind, rank, _), Val::Leaf(own, own_rank, _)) =
            (&literal, &self.locals.get(&local.name)?.val)
        else {
            return None;
        };
        (kind == own && rank == own_rank).then_some(literal)
    }
}
