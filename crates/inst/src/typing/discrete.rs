//! Which Real variables change at events only because a `when` assigns them (Modelica 3.6 §3.8.3).

use crate::cx::Cx;
use crate::exp::Exp;
use crate::node::NodeId;
use modeshift_base::{FxHashSet, Name};
use modeshift_hir::{ClassId, Db, class};
use modeshift_syntax::ast::{
    ComponentRef, Equation, EquationKind, Expr, ExprKind, RefPart, Section, SectionKind, Statement,
    StatementKind,
};
use std::collections::BTreeSet;
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// Whether the variable is assigned in a `when` of the class that it belongs to.
    pub(crate) fn changes_at_events(&mut self, exp: &Exp) -> bool {
        let Exp::Ref(cref) = exp else { return false };
        let Some(id) = cref.component() else {
            return false;
        };
        let home = self.derived_most(self.elem(self.info(id).elem).node);
        let name = self.out.components[id].name;
        self.assigned_in_when(home).contains(&name)
    }

    /// Names that some `when` of the class or its bases assigns. Linear in the class, once per node.
    fn assigned_in_when(&mut self, node: NodeId) -> Arc<FxHashSet<Name>> {
        if let Some(found) = self.when_names.get(&node) {
            return found.clone();
        }
        let mut names = FxHashSet::default();
        self.collect_when_names(node, &mut names);
        let names = Arc::new(names);
        self.when_names.insert(node, names.clone());
        names
    }

    fn collect_when_names(&mut self, node: NodeId, names: &mut FxHashSet<Name>) {
        self.expand(node);
        let def = self.node(node).def;
        match (def.text(), def.body()) {
            (Some(id), Some(_)) if self.declared_only == Some(id) => {
                names.extend(assigned_in_when(self.db, id))
            }
            (_, Some(body)) => in_sections(&body.sections, &mut |it| names.extend(last_name(it))),
            (_, None) => {}
        }
        for base in self.node(node).bases.clone() {
            self.collect_when_names(base, names);
        }
    }
}

/// The names that some `when` of the class itself assigns, as a query, so that other edits of its equations do not
/// matter.
#[salsa::tracked(returns(ref))]
fn assigned_in_when(db: &dyn Db, id: ClassId) -> BTreeSet<Name> {
    let mut names = FxHashSet::default();
    if let Some(body) = class(db, id).body() {
        in_sections(&body.sections, &mut |it| names.extend(last_name(it)));
    }
    names.into_iter().collect()
}

/// Whether an algorithm of the function assigns the variable as a whole, which gives an array declared with `:` another
/// size (Modelica 3.6 §12.4.5).
pub(super) fn assigned_as_a_whole(sections: &[Section], name: Name) -> bool {
    let mut found = false;
    for section in sections {
        if let SectionKind::Algorithm(statements) = &section.kind {
            in_statements(statements, true, &mut |it| {
                let whole = |part: &RefPart| part.name == name && part.subscripts.is_empty();
                found |= matches!(&it.parts[..], [part] if whole(part));
            });
        }
    }
    found
}

fn last_name(reference: &ComponentRef) -> Option<Name> {
    reference.parts.last().map(|part| part.name)
}

/// Hears what is assigned.
type Note<'a> = &'a mut dyn FnMut(&ComponentRef);

fn in_sections(sections: &[Section], note: Note<'_>) {
    for section in sections {
        match &section.kind {
            SectionKind::Equations(equations) => in_equations(equations, false, note),
            SectionKind::Algorithm(statements) => in_statements(statements, false, note),
        }
    }
}

fn in_exp(exp: &Expr, note: Note<'_>) {
    match &exp.kind {
        ExprKind::Ref(reference) => note(reference),
        ExprKind::Tuple(items) => items.iter().flatten().for_each(|item| in_exp(item, note)),
        ExprKind::Paren(inner) => in_exp(inner, note),
        _ => {}
    }
}

fn in_equations(equations: &[Equation], when: bool, note: Note<'_>) {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equality { lhs, .. } if when => in_exp(lhs, note),
            EquationKind::If { branches, else_ } => {
                branches
                    .iter()
                    .for_each(|branch| in_equations(&branch.body, when, note));
                in_equations(else_.as_deref().unwrap_or_default(), when, note);
            }
            EquationKind::For { body, .. } => in_equations(body, when, note),
            EquationKind::When { branches } => {
                branches
                    .iter()
                    .for_each(|branch| in_equations(&branch.body, true, note));
            }
            _ => {}
        }
    }
}

fn in_statements(statements: &[Statement], when: bool, note: Note<'_>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } if when => note(target),
            StatementKind::AssignTuple { targets, .. } if when => {
                targets
                    .iter()
                    .flatten()
                    .for_each(|target| in_exp(target, note));
            }
            StatementKind::If { branches, else_ } => {
                branches
                    .iter()
                    .for_each(|branch| in_statements(&branch.body, when, note));
                in_statements(else_.as_deref().unwrap_or_default(), when, note);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                in_statements(body, when, note)
            }
            StatementKind::When { branches } => {
                branches
                    .iter()
                    .for_each(|branch| in_statements(&branch.body, true, note));
            }
            _ => {}
        }
    }
}
