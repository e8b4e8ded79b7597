//! The edit that lets a condition read the instant before, in standard Modelica: the condition gets a Boolean of its own,
//! and what read the condition reads `pre` of that Boolean.

use crate::Session;
use modeshift_base::{FileSpan, FxHashSet, Span};
use modeshift_db::Db as _;
use modeshift_diag::{Code, Diagnostic, Edit, Fix};
use modeshift_hir::ClassId;
use modeshift_mdae::diagnose::Lag;
use modeshift_syntax::ast::{
    BinaryOp, ClassDef, ClassSpec, EquationKind, Expr, ExprKind, Node, StoredDefinition, Visit,
};

/// What the Boolean of a condition is called, if nothing else is.
const NAME: &str = "reached";

impl Session {
    /// Adds the edit to messages about fixpoints, where the condition is written so that the edit is certain to be right.
    pub(crate) fn offer_left_limits(
        &self,
        class: ClassId,
        lags: &[Lag],
        diagnostics: &mut [Diagnostic],
    ) {
        if lags.is_empty() {
            return;
        }
        let mut taken = self.last_names(class);
        for diagnostic in diagnostics.iter_mut() {
            if diagnostic.code != Code::MS4002 {
                continue;
            }
            let labelled = |lag: &&Lag| diagnostic.labels.iter().any(|label| label.at == lag.place);
            let concerned: Vec<&Lag> = lags.iter().filter(labelled).collect();
            diagnostic.fixes.extend(self.lagged(&concerned, &mut taken));
        }
    }

    /// The last names of a model's variables: names that a declaration in one of its classes could clash with.
    fn last_names(&self, class: ClassId) -> FxHashSet<String> {
        let names = self.flat(class).model.variables.iter();
        let last = names.map(|it| {
            let name = it.name.rsplit('.').next().unwrap_or(&it.name);
            name.split('[').next().unwrap_or(name).to_owned()
        });
        last.collect()
    }

    /// One fix for all conditions of a loop, which all need it.
    fn lagged(&self, lags: &[&Lag], taken: &mut FxHashSet<String>) -> Option<Fix> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut names = Vec::new();
        for lag in lags {
            let shown = self.resolve(lag.place);
            let file = self.db().files().by_id(shown.file)?;
            let text = file.text(self.db());
            let tree = &modeshift_db::parse(self.db(), file).file;
            for relation in relations(tree, shown.span, &lag.name) {
                let at = FileSpan {
                    span: relation,
                    ..shown
                };
                if edits.iter().any(|edit| edit.at == at) {
                    continue;
                }
                let span = insertion(tree, shown.span)?;
                let name = free_name(text, taken);
                let indent = indent(text, span.start);
                let condition = &text[relation.range()];
                // In front of an `equation` the elements stand deeper than the keyword.
                let deeper = match span.is_empty() {
                    true => "",
                    false => "  ",
                };
                let declaration = format!(
                    "{deeper}Boolean {name}(start = false, fixed = true) = {condition};\n{indent}"
                );
                let span = Span::new(span.start, span.start);
                edits.push(Edit {
                    at: FileSpan { span, ..shown },
                    text: declaration,
                });
                edits.push(Edit {
                    at,
                    text: format!("pre({name})"),
                });
                names.push(format!("`pre({name})`"));
            }
        }
        (!edits.is_empty()).then(|| Fix {
            title: format!(
                "read the condition as it was just before: {}",
                names.join(", ")
            ),
            edits,
        })
    }
}

/// `reached`, `reached2` …: the first that the text and the model do not use.
fn free_name(text: &str, taken: &mut FxHashSet<String>) -> String {
    let mut number = 1;
    loop {
        let name = match number {
            1 => NAME.to_owned(),
            _ => format!("{NAME}{number}"),
        };
        number += 1;
        let used = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == name);
        if !used && taken.insert(name.clone()) {
            return name;
        }
    }
}

/// The blanks in front of a place, if it is the first in its line.
fn indent(text: &str, at: u32) -> &str {
    let before = &text[..at as usize];
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    match before[line..].trim().is_empty() {
        true => &before[line..],
        false => "",
    }
}

/// Where a declaration for a condition at `place` can be put: in front of the first section of its class (the span of that
/// section), or in front of the declaration whose binding holds the condition (an empty span).
fn insertion(tree: &StoredDefinition, place: Span) -> Option<Span> {
    let mut class: Option<&ClassDef> = None;
    tree.visit(&mut |node| {
        let inside = node.span().is_none_or(|span| contains(span, place));
        if let (true, Node::ClassDef(it)) = (inside, node) {
            class = Some(it);
        }
        inside
    });
    let (ClassSpec::Long(body) | ClassSpec::Extends { body, .. }) = &class?.spec else {
        return None;
    };
    let mut elements = body.elements.iter();
    if let Some(element) = elements.find(|element| contains(element.span, place)) {
        return Some(Span::new(element.span.start, element.span.start));
    }
    body.sections.first().map(|section| section.span)
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The relations at a place that read a variable. Left out are those in loops, where one Boolean is not enough, in
/// algorithms, where the same text means different things in different lines, and in calls such as `noEvent`.
fn relations(tree: &StoredDefinition, place: Span, name: &str) -> Vec<Span> {
    let mut found = Vec::new();
    tree.visit(&mut |node| {
        let Some(span) = node.span() else {
            return true;
        };
        let around = contains(span, place);
        match node {
            // The place of a binding is the declaration's name.
            Node::ComponentDecl(_) if around => true,
            Node::Equation(it) => {
                (around || contains(place, span)) && !matches!(it.kind, EquationKind::For { .. })
            }
            Node::Statement(_) => false,
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Call { .. } | ExprKind::Comprehension { .. } => false,
                ExprKind::Binary { op, .. } if is_relation(*op) => {
                    if reads(expr, name) {
                        found.push(span);
                    }
                    false
                }
                _ => true,
            },
            Node::ClassDef(_) | Node::Section(_) | Node::Element(_) => around,
            _ => true,
        }
    });
    found
}

fn is_relation(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual
    )
}

/// Whether an expression reads the variable, or an element of it.
fn reads(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    expr.visit(&mut |node| {
        if let Node::ComponentRef(it) = node {
            let parts: Vec<&str> = it.parts.iter().map(|part| part.name.as_str()).collect();
            found |= parts.join(".") == name;
        }
        true
    });
    found
}
