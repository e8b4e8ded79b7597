//! Files, classes, elements and modifications.

use super::super::prefix::{Place, Prefix, Prefixes};
use super::{Context, Recovery};
use crate::ast::{
    Annotation, Argument, ArgumentKind, Binding, ClassBody, ClassDef, ClassKind, ClassSpec,
    Comment, ComponentClause, ComponentDecl, ComponentRef, ConstrainedBy, Description, Element,
    ElementKind, Equation, Expr, Extends, External, Ident, Import, ImportKind, Modification, Path,
    Section, SectionKind, ShortClass, Statement, StoredDefinition, Subscript, Within,
};
use crate::token::Token;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

/// Elements, equations or statements, with the class annotation found among them.
pub struct Items<T> {
    pub list: Vec<T>,
    pub annotation: Option<Box<Annotation>>,
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            annotation: None,
        }
    }
}

impl<T> Items<T> {
    pub fn with(mut self, item: T) -> Self {
        self.list.push(item);
        self
    }
}

/// A class behind its kind: name, what it is, comment.
pub struct Specifier {
    name: Ident,
    spec: ClassSpec,
    comment: Comment,
}

/// A class body under construction.
#[derive(Default)]
pub struct Composition {
    body: Box<ClassBody>,
    annotation: Option<Box<Annotation>>,
}

/// What may follow the first elements of a class.
pub enum SectionPart {
    Public(Items<Element>),
    Protected(Items<Element>),
    Section(Section, Option<Box<Annotation>>),
    External(Box<External>, Option<Box<Annotation>>),
}

impl SectionPart {
    pub fn equations(initial: bool, items: Items<Equation>, span: Span) -> Self {
        Self::Section(
            Section {
                initial,
                kind: SectionKind::Equations(items.list),
                span,
            },
            items.annotation,
        )
    }

    pub fn algorithm(initial: bool, items: Items<Statement>, span: Span) -> Self {
        Self::Section(
            Section {
                initial,
                kind: SectionKind::Algorithm(items.list),
                span,
            },
            items.annotation,
        )
    }
}

pub fn declaration(
    name: Ident,
    dims: Option<Vec<Subscript>>,
    modification: Option<Box<Modification>>,
    condition: Option<Expr>,
    comment: Comment,
    span: Span,
) -> Box<ComponentDecl> {
    let dims = dims.unwrap_or_default();
    Box::new(ComponentDecl {
        name,
        dims,
        modification,
        condition,
        comment,
        span,
    })
}

/// `y = f(x)` in an external clause.
pub struct ExternalCall {
    pub output: Option<ComponentRef>,
    pub name: Ident,
    pub args: Vec<Expr>,
}

pub fn path(dot: Option<Token>, parts: Vec<Ident>) -> Path {
    let first = parts.first().map_or(Span::default(), |part| part.span);
    let last = parts.last().map_or(first, |part| part.span);
    let start = dot.map_or(first, |dot| dot.span);
    Path {
        global: dot.is_some(),
        parts,
        span: start.to(last),
    }
}

pub fn specifier(name: Ident, spec: ClassSpec, comment: Comment) -> Box<Specifier> {
    Box::new(Specifier {
        name,
        spec,
        comment,
    })
}

pub fn composition(elements: Items<Element>) -> Composition {
    let body = ClassBody {
        elements: elements.list,
        ..ClassBody::default()
    };
    Composition {
        body: Box::new(body),
        annotation: elements.annotation,
    }
}

pub fn element(kind: ElementKind, span: Span) -> Element {
    Element {
        kind,
        protected: false,
        span,
    }
}

pub fn import(parts: Vec<Ident>, kind: ImportKind, comment: Comment) -> Box<Import> {
    Box::new(Import {
        path: path(None, parts),
        kind,
        comment,
    })
}

pub fn modification(
    args: Vec<Argument>,
    binding: Option<Binding>,
    span: Span,
) -> Box<Modification> {
    Box::new(Modification {
        args,
        binding,
        span,
    })
}

pub fn argument(kind: ArgumentKind, span: Span) -> Argument {
    Argument {
        kind,
        each: false,
        final_: false,
        span,
    }
}

impl Context<'_> {
    pub fn file(
        &mut self,
        within: Option<Within>,
        classes: Vec<Option<Box<ClassDef>>>,
    ) -> StoredDefinition {
        let classes: Vec<ClassDef> = classes.into_iter().flatten().map(|class| *class).collect();
        if let (Some(within), [], []) = (&within, &classes[..], &self.mistakes[..]) {
            let span = within.span;
            self.report(
                Diagnostic::new(Code::MS0019, "the file says `within` but has no class")
                    .label(span, "a class should follow"),
            );
        }
        StoredDefinition { within, classes }
    }

    pub fn class(
        &mut self,
        p: Option<Prefixes>,
        kind: ClassKind,
        spec: Box<Specifier>,
        constraint: Option<Box<(ConstrainedBy, Comment)>>,
        span: Span,
    ) -> Box<ClassDef> {
        let p = p.unwrap_or_default();
        self.check_prefixes(p, Place::Class, class_kind_name(kind));
        let kind = match kind {
            ClassKind::Connector if p.has(Prefix::Expandable) => ClassKind::ExpandableConnector,
            other => other,
        };
        let mut comment = spec.comment;
        let constrained_by = constraint.map(|constrained| {
            let (constraint, behind) = *constrained;
            join_comment(&mut comment, behind);
            Box::new(constraint)
        });
        Box::new(ClassDef {
            span,
            kind,
            encapsulated: p.has(Prefix::Encapsulated),
            partial: p.has(Prefix::Partial),
            purity: p.purity(),
            prefixes: p.element(),
            name: spec.name,
            spec: spec.spec,
            constrained_by,
            comment,
        })
    }

    pub fn long(
        &mut self,
        name: Ident,
        description: Option<Description>,
        body: Composition,
    ) -> Box<Specifier> {
        let comment = Comment {
            description,
            annotation: body.annotation,
        };
        specifier(name, ClassSpec::Long(body.body), comment)
    }

    pub fn extension(
        &mut self,
        name: Ident,
        args: Option<Vec<Argument>>,
        description: Option<Description>,
        body: Composition,
    ) -> Box<Specifier> {
        let comment = Comment {
            description,
            annotation: body.annotation,
        };
        let modification = args.unwrap_or_default();
        specifier(
            name,
            ClassSpec::Extends {
                modification,
                body: body.body,
            },
            comment,
        )
    }

    pub fn short(
        &mut self,
        name: Ident,
        p: Option<Prefixes>,
        base: Path,
        dims: Option<Vec<Subscript>>,
        args: Option<Vec<Argument>>,
        comment: Comment,
    ) -> Box<Specifier> {
        let p = p.unwrap_or_default();
        self.check_prefixes(p, Place::ShortBase, "the class after `=`");
        let short = ShortClass {
            type_prefix: p.type_prefix(),
            base,
            dims: dims.unwrap_or_default(),
            modification: args.unwrap_or_default(),
        };
        specifier(name, ClassSpec::Short(Box::new(short)), comment)
    }

    pub fn section(&mut self, mut to: Composition, part: SectionPart) -> Composition {
        let annotation = match part {
            SectionPart::Public(items) => {
                to.body.elements.extend(items.list);
                items.annotation
            }
            SectionPart::Protected(items) => {
                let hidden = items.list.into_iter().map(|element| Element {
                    protected: true,
                    ..element
                });
                to.body.elements.extend(hidden);
                items.annotation
            }
            SectionPart::Section(section, annotation) => {
                to.body.sections.push(section);
                annotation
            }
            SectionPart::External(external, annotation) => {
                if to.body.external.is_some() {
                    self.report(
                        Diagnostic::new(Code::MS0007, "a function has one `external` clause")
                            .label(external.span, "this is the second one"),
                    );
                }
                to.body.external = Some(external);
                annotation
            }
        };
        to.annotation = self.one_annotation(to.annotation.take(), annotation);
        to
    }

    pub fn class_annotation<T>(
        &mut self,
        mut items: Items<T>,
        annotation: Box<Annotation>,
    ) -> Items<T> {
        items.annotation = self.one_annotation(items.annotation.take(), Some(annotation));
        items
    }

    fn one_annotation(
        &mut self,
        first: Option<Box<Annotation>>,
        second: Option<Box<Annotation>>,
    ) -> Option<Box<Annotation>> {
        match (first, second) {
            (Some(mut first), Some(second)) => {
                self.report(
                    Diagnostic::new(Code::MS0018, "a class can have only one annotation")
                        .with_severity(Severity::Warning)
                        .label(second.span, "this is the second one")
                        .label(first.span, "the first one")
                        .note("Move its arguments into the first annotation."),
                );
                first.args.extend(second.args);
                Some(first)
            }
            (first, second) => first.or(second),
        }
    }

    pub fn external(
        &mut self,
        language: Option<Token>,
        call: Option<Box<ExternalCall>>,
        annotation: Option<Box<Annotation>>,
        span: Span,
    ) -> Box<External> {
        let language = language.map(|token| self.description(token));
        let (output, name, args) = match call {
            Some(call) => (call.output, Some(call.name), call.args),
            None => (None, None, Vec::new()),
        };
        Box::new(External {
            language,
            output,
            name,
            args,
            annotation,
            span,
        })
    }

    pub fn incomplete_external(
        &mut self,
        language: Option<Token>,
        call: Option<Box<ExternalCall>>,
        annotation: Option<Box<Annotation>>,
        span: Span,
        recovery: Recovery,
    ) -> Box<External> {
        let external = self.external(language, call, annotation, span);
        self.incomplete(external, "`external` clause", recovery)
    }

    pub fn extends(
        &mut self,
        base: Path,
        args: Option<Vec<Argument>>,
        annotation: Option<Box<Annotation>>,
        span: Span,
    ) -> Element {
        let extends = Extends {
            base,
            modification: args.unwrap_or_default(),
            annotation,
        };
        element(ElementKind::Extends(Box::new(extends)), span)
    }

    pub fn components(
        &mut self,
        p: Option<Prefixes>,
        type_name: Path,
        dims: Option<Vec<Subscript>>,
        declarations: Vec<ComponentDecl>,
        constraint: Option<Box<(ConstrainedBy, Comment)>>,
        span: Span,
    ) -> Element {
        let p = p.unwrap_or_default();
        self.check_prefixes(p, Place::Component, "a component");
        let (constrained_by, comment) = constraint.map(|constrained| *constrained).unzip();
        let clause = ComponentClause {
            prefixes: p.element(),
            type_prefix: p.type_prefix(),
            type_name,
            dims: dims.unwrap_or_default(),
            declarations,
            constrained_by: constrained_by.map(Box::new),
            comment: comment.unwrap_or_default(),
        };
        element(ElementKind::Components(Box::new(clause)), span)
    }

    // Modifications.

    pub fn modifier(
        &mut self,
        p: Option<Prefixes>,
        target: Vec<Ident>,
        modification: Option<Box<Modification>>,
        description: Option<Description>,
        span: Span,
    ) -> Argument {
        let p = p.unwrap_or_default();
        self.check_prefixes(p, Place::Modifier, "a modifier");
        let comment = Comment {
            description,
            annotation: None,
        };
        Argument {
            kind: ArgumentKind::Modify {
                target,
                modification,
                comment,
            },
            each: p.has(Prefix::Each),
            final_: p.has(Prefix::Final),
            span,
        }
    }

    pub fn redeclared_class(
        &mut self,
        p: Option<Prefixes>,
        kind: ClassKind,
        spec: Box<Specifier>,
        constraint: Option<Box<ConstrainedBy>>,
        span: Span,
    ) -> Argument {
        let prefixes = p;
        let p = p.unwrap_or_default();
        self.needs_redeclare(p, span);
        let constraint = constraint.map(|constraint| Box::new((*constraint, Comment::default())));
        let class = self.class(prefixes, kind, spec, constraint, span);
        Argument {
            kind: ArgumentKind::RedeclareClass(class),
            each: p.has(Prefix::Each),
            final_: p.has(Prefix::Final),
            span,
        }
    }

    pub fn redeclared_component(
        &mut self,
        p: Option<Prefixes>,
        type_name: Path,
        dims: Option<Vec<Subscript>>,
        declaration: Box<ComponentDecl>,
        constraint: Option<Box<ConstrainedBy>>,
        span: Span,
    ) -> Argument {
        let p = p.unwrap_or_default();
        self.check_prefixes(p, Place::Component, "a component");
        self.needs_redeclare(p, span);
        let clause = ComponentClause {
            prefixes: p.element(),
            type_prefix: p.type_prefix(),
            type_name,
            dims: dims.unwrap_or_default(),
            declarations: vec![*declaration],
            constrained_by: constraint,
            comment: Comment::default(),
        };
        Argument {
            kind: ArgumentKind::RedeclareComponent(Box::new(clause)),
            each: p.has(Prefix::Each),
            final_: p.has(Prefix::Final),
            span,
        }
    }

    fn needs_redeclare(&mut self, p: Prefixes, span: Span) {
        if p.has(Prefix::Redeclare) || p.has(Prefix::Replaceable) {
            return;
        }
        let at = Span::new(span.start, span.start);
        self.report(
            Diagnostic::new(
                Code::MS0001,
                "a declaration in a modifier needs `redeclare` before it",
            )
            .label(span, "this declares something again")
            .fix(
                "insert `redeclare`",
                vec![Edit {
                    at,
                    text: "redeclare ".into(),
                }],
            ),
        );
    }

    pub fn assign_in_modification(&mut self, op: Token) {
        self.report(
            Diagnostic::new(
                Code::MS0008,
                "a declaration binds its value with `=`, not `:=`",
            )
            .with_severity(Severity::Warning)
            .label(op.span, "write `=`")
            .fix(
                "replace `:=` with `=`",
                vec![Edit {
                    at: op.span,
                    text: "=".into(),
                }],
            ),
        );
    }
}

fn join_comment(first: &mut Comment, behind: Comment) {
    if behind.description.is_some() {
        first.description = behind.description;
    }
    if behind.annotation.is_some() {
        first.annotation = behind.annotation;
    }
}

pub fn class_kind_name(kind: ClassKind) -> &'static str {
    match kind {
        ClassKind::Class => "a class",
        ClassKind::Model => "a model",
        ClassKind::Record => "a record",
        ClassKind::OperatorRecord => "an operator record",
        ClassKind::Block => "a block",
        ClassKind::Connector => "a connector",
        ClassKind::ExpandableConnector => "an expandable connector",
        ClassKind::Type => "a type",
        ClassKind::Package => "a package",
        ClassKind::Function => "a function",
        ClassKind::OperatorFunction => "an operator function",
        ClassKind::Operator => "an operator",
    }
}
