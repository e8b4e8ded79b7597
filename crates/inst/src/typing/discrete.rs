//! Which Real variables change at events only because a `when` assigns them (Modelica 3.6 §3.8.3).

use crate::cx::Cx;
use crate::exp::Exp;
use crate::node::NodeId;
use modeshift_base::{FxHashSet, Name};
use modeshift_hir::{ClassId, Db, class};
use modeshift_syntax::ast::{
    ComponentRef, Equation, EquationKind, Expr, ExprKind, Section, SectionKind, Statement,
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
            (_, Some(body)) => in_sections(&body.sections, names),
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
        in_sections(&body.sections, &mut names);
    }
    names.into_iter().collect()
}

fn in_sections(sections: &[Section], names: &mut FxHashSet<Name>) {
    for section in sections {
        match &section.kind {
            SectionKind::Equations(equations) => in_equations(equations, false, names),
            SectionKind::Algorithm(statements) => in_statements(statements, false, names),
        }
    }
}

fn note(reference: &ComponentRef, names: &mut FxHashSet<Name>) {
    names.extend(reference.parts.last().map(|part| part.name));
}

fn note_exp(exp: &Expr, names: &mut FxHashSet<Name>) {
    match &exp.kind {
        ExprKind::Ref(reference) => note(reference, names),
        ExprKind::Tuple(items) => items
            .iter()
            .flatten()
            .for_each(|item| note_exp(item, names)),
        ExprKind::Paren(inner) => note_exp(inner, names),
        _ => {}
    }
}

fn in_equations(equations: &[Equation], when: bool, names: &mut FxHashSet<Name>) {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equality { lhs, .. } if when => note_exp(lhs, names),
            EquationKind::If { branches, else_ } => {
                branches
                    .iter()
                    .for_each(|branch| in_equations(&branch.body, when, names));
                in_equations(else_.as_deref().unwrap_or_default(), when, names);
            }
            EquationKind::For { body, .. } => in_equations(body, when, names),
            EquationKind::When { branches } => {
                branches
                    .iter()
                    .for_each(|branch| in_equations(&branch.body, true, names));
            }
            _ => {}
        }
    }
}

fn in_statements(statements: &[Statement], when: bool, names: &mut FxHashSet<Name>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } if when => note(target, names),
            StatementKind::AssignTuple { targets, .. } if when => {
                targets
                    .iter()
                    .flatten()
                    .for_each(|target| note_exp(target, names));
            }
            StatementKind::If { branches, else_ } => {
                branches
                    .iter()
                    .for_each(|branch| in_statements(&branch.body, when, names));
                in_statements(else_.as_deref().unwrap_or_default(), when, names);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                in_statements(body, when, names)
            }
            StatementKind::When { branches } => {
                branches
                    .iter()
                    .for_each(|branch| in_statements(&branch.body, true, names));
            }
            _ => {}
        }
    }
}
