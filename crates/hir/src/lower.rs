//! From the syntax tree of one class to its [`ClassData`] and [`Layout`].
//!
//! Only the class itself is copied, never its nested classes: linear in the own text.

use crate::data::{
    Body, ClassData, ClassSpec, Clause, Component, Element, Extends, ImportElement, NestedClass,
};
use crate::layout::Layout;
use crate::rebase::{Rebase, rebase_annotation};
use crate::{ClassId, Db};
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_syntax::ast::{
    self, Branch, ClassBody, ClassDef, Comment, ElementKind, Equation, EquationKind, SectionKind,
    Statement, StatementKind,
};
use std::sync::Arc;

/// The layout of a class at `def` in the text of its file.
pub(crate) fn layout_of(def: &ClassDef, text: &str) -> Layout {
    let mut cuts = Vec::new();
    cut_comment(&def.comment, &mut cuts);
    match &def.spec {
        ast::ClassSpec::Long(body) | ast::ClassSpec::Extends { body, .. } => {
            cut_body(body, &mut cuts);
        }
        ast::ClassSpec::Enumeration {
            literals: Some(literals),
        } => {
            literals
                .iter()
                .for_each(|literal| cut_comment(&literal.comment, &mut cuts));
        }
        _ => {}
    }
    Layout::new(def.span, cuts).without_blanks(text, &items_of(def))
}

/// Where the elements, sections, equations and statements of a class begin, and its annotation.
fn items_of(def: &ClassDef) -> Vec<u32> {
    let mut items = Vec::new();
    if let ast::ClassSpec::Long(body) | ast::ClassSpec::Extends { body, .. } = &def.spec {
        items.extend(body.elements.iter().map(|it| it.span.start));
        for section in &body.sections {
            items.push(section.span.start);
            match &section.kind {
                SectionKind::Equations(all) => items.extend(all.iter().map(|it| it.span.start)),
                SectionKind::Algorithm(all) => items.extend(all.iter().map(|it| it.span.start)),
            }
        }
    }
    items.extend(def.comment.annotation.as_ref().map(|it| it.span.start));
    items
}

fn cut_comment(comment: &Comment, cuts: &mut Vec<Span>) {
    cuts.extend(
        comment
            .annotation
            .as_ref()
            .map(|annotation| annotation.span),
    );
}

fn cut_body(body: &ClassBody, cuts: &mut Vec<Span>) {
    for element in &body.elements {
        match &element.kind {
            ElementKind::Class(class) => cuts.push(class.span),
            ElementKind::Components(clause) => {
                cut_comment(&clause.comment, cuts);
                clause
                    .declarations
                    .iter()
                    .for_each(|it| cut_comment(&it.comment, cuts));
            }
            ElementKind::Import(import) => cut_comment(&import.comment, cuts),
            ElementKind::Extends(extends) => {
                cuts.extend(
                    extends
                        .annotation
                        .as_ref()
                        .map(|annotation| annotation.span),
                );
            }
            ElementKind::Error => {}
        }
    }
    for section in &body.sections {
        match &section.kind {
            SectionKind::Equations(equations) => cut_equations(equations, cuts),
            SectionKind::Algorithm(statements) => cut_statements(statements, cuts),
        }
    }
    if let Some(external) = &body.external {
        cuts.extend(
            external
                .annotation
                .as_ref()
                .map(|annotation| annotation.span),
        );
    }
}

fn cut_equations(equations: &[Equation], cuts: &mut Vec<Span>) {
    for equation in equations {
        cut_comment(&equation.comment, cuts);
        match &equation.kind {
            EquationKind::If { branches, else_ } => {
                cut_branches(branches, cuts, cut_equations);
                cut_equations(else_.as_deref().unwrap_or_default(), cuts);
            }
            EquationKind::When { branches } => cut_branches(branches, cuts, cut_equations),
            EquationKind::For { body, .. } => cut_equations(body, cuts),
            _ => {}
        }
    }
}

fn cut_statements(statements: &[Statement], cuts: &mut Vec<Span>) {
    for statement in statements {
        cut_comment(&statement.comment, cuts);
        match &statement.kind {
            StatementKind::If { branches, else_ } => {
                cut_branches(branches, cuts, cut_statements);
                cut_statements(else_.as_deref().unwrap_or_default(), cuts);
            }
            StatementKind::When { branches } => cut_branches(branches, cuts, cut_statements),
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                cut_statements(body, cuts);
            }
            _ => {}
        }
    }
}

fn cut_branches<T>(branches: &[Branch<T>], cuts: &mut Vec<Span>, cut: fn(&[T], &mut Vec<Span>)) {
    branches.iter().for_each(|branch| cut(&branch.body, cuts));
}

/// The contents of class `id`, declared by `def`.
pub(crate) fn lower(db: &dyn Db, id: ClassId, def: &ClassDef, protected: bool) -> ClassData {
    let mut seen = FxHashMap::default();
    let mut nested = |name: Name| {
        let nth = seen.entry(name).or_insert(0);
        *nth += 1;
        ClassId::new(db, id.file(db), Some(id), name, *nth - 1)
    };
    let layout = layout_of(def, id.file(db).text(db));
    lower_with(def, protected, &layout, &mut nested)
}

/// A class written in a modifier, `redeclare model M = ...`. Its spans are in the own text of the class
/// whose [`ClassData`] the modifier was found in, and names in it are looked up from that class.
pub fn lower_redeclaration(db: &dyn Db, home: ClassId, def: &ClassDef) -> ClassData {
    // The grammar allows only short classes here, so there is nothing nested to be identified;
    // should a body ever appear, its classes must still not be confused with those of `home`.
    let mut count = 0;
    let mut nested = |name: Name| {
        count += 1;
        ClassId::new(db, home.file(db), Some(home), name, u32::MAX - count)
    };
    lower_with(def, false, &Layout::identity(), &mut nested)
}

fn lower_with(
    def: &ClassDef,
    protected: bool,
    layout: &Layout,
    nested: &mut dyn FnMut(Name) -> ClassId,
) -> ClassData {
    let spec = match &def.spec {
        ast::ClassSpec::Long(body) => ClassSpec::Long(lower_body(body, layout, nested)),
        ast::ClassSpec::Extends { modification, body } => ClassSpec::Extends {
            modification: modification.rebase(layout),
            body: lower_body(body, layout, nested),
        },
        ast::ClassSpec::Short(short) => ClassSpec::Short(short.rebase(layout)),
        ast::ClassSpec::Enumeration { literals } => ClassSpec::Enumeration {
            literals: literals.rebase(layout),
        },
        ast::ClassSpec::Der { function, wrt } => ClassSpec::Der {
            function: function.rebase(layout),
            wrt: wrt.rebase(layout),
        },
        ast::ClassSpec::Error => ClassSpec::Error,
    };
    ClassData {
        kind: def.kind,
        encapsulated: def.encapsulated,
        partial: def.partial,
        purity: def.purity,
        prefixes: def.prefixes,
        protected,
        name: def.name.rebase(layout),
        spec,
        constrained_by: def.constrained_by.rebase(layout),
        description: def.comment.description.rebase(layout),
        annotation: rebase_annotation(def.comment.annotation.as_deref(), layout),
    }
}

fn lower_body(body: &ClassBody, layout: &Layout, nested: &mut dyn FnMut(Name) -> ClassId) -> Body {
    let mut elements = Vec::with_capacity(body.elements.len());
    for element in &body.elements {
        lower_element(element, layout, nested, &mut elements);
    }
    let mut by_name = FxHashMap::default();
    for (index, element) in elements.iter().enumerate() {
        if let Some(name) = Element::name(element) {
            by_name.entry(name).or_insert(index);
        }
    }
    Body {
        elements: elements.into(),
        sections: body.sections.rebase(layout),
        external: body.external.rebase(layout),
        by_name: by_name.into(),
    }
}

fn lower_element(
    element: &ast::Element,
    layout: &Layout,
    nested: &mut dyn FnMut(Name) -> ClassId,
    into: &mut Vec<Element>,
) {
    let protected = element.protected;
    match &element.kind {
        ElementKind::Import(import) => into.push(Element::Import(ImportElement {
            import: *import.rebase(layout),
            protected,
            span: element.span.rebase(layout),
        })),
        ElementKind::Extends(extends) => {
            let ast::Extends {
                base,
                modification,
                annotation,
            } = *extends.rebase(layout);
            let span = element.span.rebase(layout);
            into.push(Element::Extends(Extends {
                base,
                modification,
                annotation,
                protected,
                span,
            }));
        }
        ElementKind::Class(class) => into.push(Element::Class(NestedClass {
            id: nested(class.name.name),
            name: class.name.name,
            kind: class.kind,
            prefixes: class.prefixes,
            partial: class.partial,
            encapsulated: class.encapsulated,
            protected,
            class_extends: matches!(class.spec, ast::ClassSpec::Extends { .. }),
        })),
        ElementKind::Components(clause) => {
            lower_components(clause, element, layout, into);
        }
        ElementKind::Error => {}
    }
}

fn lower_components(
    clause: &ast::ComponentClause,
    element: &ast::Element,
    layout: &Layout,
    into: &mut Vec<Element>,
) {
    let shared = Arc::new(Clause {
        prefixes: clause.prefixes,
        type_prefix: clause.type_prefix,
        type_name: clause.type_name.rebase(layout),
        dims: clause.dims.rebase(layout),
        constrained_by: clause.constrained_by.rebase(layout),
        span: element.span.rebase(layout),
    });
    for declaration in &clause.declarations {
        let comment = declaration.comment.rebase(layout);
        // What stands behind the constraining clause is about the declaration.
        let clause_comment = clause.comment.rebase(layout);
        into.push(Element::Component(Component {
            name: declaration.name.rebase(layout),
            clause: shared.clone(),
            dims: declaration.dims.rebase(layout),
            modification: declaration.modification.rebase(layout),
            condition: declaration.condition.rebase(layout),
            description: comment.description.or(clause_comment.description),
            annotation: comment.annotation.or(clause_comment.annotation),
            protected: element.protected,
            span: declaration.span.rebase(layout),
        }));
    }
}
