//! The builders that the grammar's actions call: from pieces of a rule to a node of the tree.

use super::prefix::{Place, Prefix, Prefixes};
use crate::ast::{
    Annotation, Args, Argument, ArgumentKind, BinaryOp, Binding, Branch, ClassBody, ClassDef,
    ClassKind, ClassSpec, Comment, ComponentClause, ComponentDecl, ComponentRef, ConstrainedBy,
    Description, Element, ElementKind, Equation, EquationKind, Expr, ExprKind, Extends, External,
    Ident, Import, ImportKind, Iterator, Modification, NamedArg, Path, RefPart, Section,
    SectionKind, ShortClass, Statement, StatementKind, StoredDefinition, Subscript, UnaryOp,
    Within,
};
use crate::token::Token;
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_diag::{Code, Diagnostic, Edit, Severity};
use std::cell::Cell;

/// A syntax error as LALRPOP reports it.
pub type Recovery = lalrpop_util::ErrorRecovery<u32, Token, ()>;

/// What the parser had read, or tried to read, when it met a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// A complete piece of this name, which lacks its `;`.
    Complete(&'static str),
    /// A piece of this name that could not be completed.
    Broken(&'static str),
}

/// A syntax error and where it happened.
#[derive(Clone, Debug)]
pub struct Mistake {
    pub recovery: Recovery,
    pub around: Around,
}

/// What the actions share: the text, the names met so far, and what went wrong.
pub struct Context<'text> {
    pub(super) text: &'text str,
    /// Interning takes a lock; most names of a file occur many times.
    names: FxHashMap<&'text str, Name>,
    /// Messages about mistakes that the grammar accepts.
    pub(super) errors: Vec<Diagnostic<Span>>,
    /// Places where the grammar itself had to recover.
    pub(super) mistakes: Vec<Mistake>,
    /// Tells the feed that there are too many mistakes to go on.
    stop: &'text Cell<bool>,
}

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

/// An argument of a call.
pub enum CallArg {
    Positional(Expr),
    Named(NamedArg),
}

pub fn pushed<T>(mut list: Vec<T>, item: T) -> Vec<T> {
    list.push(item);
    list
}

pub fn branches<T>(first: Branch<T>, mut rest: Vec<Branch<T>>) -> Vec<Branch<T>> {
    rest.insert(0, first);
    rest
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

pub fn specifier(name: Ident, spec: ClassSpec, comment: Comment) -> Specifier {
    Specifier {
        name,
        spec,
        comment,
    }
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

// Expressions.

pub fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

pub fn reference(reference: ComponentRef) -> Expr {
    let span = reference.span;
    expr(ExprKind::Ref(reference), span)
}

pub fn component_ref(dot: Option<Token>, parts: Vec<RefPart>) -> ComponentRef {
    let first = parts.first().map_or(Span::default(), |part| part.span);
    let last = parts.last().map_or(first, |part| part.span);
    let start = dot.map_or(first, |dot| dot.span);
    ComponentRef {
        global: dot.is_some(),
        parts,
        span: start.to(last),
    }
}

pub fn ref_part(name: Ident, subscripts: Vec<Subscript>, end: u32) -> RefPart {
    RefPart {
        name: name.name,
        subscripts,
        span: Span::new(name.span.start, end),
    }
}

pub fn binary(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    let span = lhs.span.to(rhs.span);
    expr(
        ExprKind::Binary {
            op,
            lhs: Box::new(lhs),
            rhs: Box::new(rhs),
        },
        span,
    )
}

pub fn unary(start: u32, op: UnaryOp, operand: Expr) -> Expr {
    let span = Span::new(start, operand.span.end);
    expr(
        ExprKind::Unary {
            op,
            operand: Box::new(operand),
        },
        span,
    )
}

pub fn sign(op: BinaryOp) -> UnaryOp {
    match op {
        BinaryOp::Sub => UnaryOp::Minus,
        BinaryOp::ElementAdd => UnaryOp::ElementPlus,
        BinaryOp::ElementSub => UnaryOp::ElementMinus,
        _ => UnaryOp::Plus,
    }
}

pub fn if_expr(start: u32, first: (Expr, Expr), mut rest: Vec<(Expr, Expr)>, else_: Expr) -> Expr {
    let span = Span::new(start, else_.span.end);
    rest.insert(0, first);
    expr(
        ExprKind::If {
            branches: rest,
            else_: Box::new(else_),
        },
        span,
    )
}

pub fn range(start: Expr, step: Option<Expr>, stop: Expr) -> Expr {
    let span = start.span.to(stop.span);
    let kind = ExprKind::Range {
        start: Box::new(start),
        step: step.map(Box::new),
        stop: Box::new(stop),
    };
    expr(kind, span)
}

pub fn call(function: ComponentRef, args: Box<Args>) -> Expr {
    let span = function.span.to(args.span);
    expr(ExprKind::Call { function, args }, span)
}

/// `(a)` is an expression in parentheses, everything else a list of outputs.
pub fn tuple(mut list: Vec<Option<Expr>>, span: Span) -> Expr {
    if list.len() == 1 {
        let kind = match list.pop().flatten() {
            Some(inner) => ExprKind::Paren(Box::new(inner)),
            None => ExprKind::Tuple(Vec::new()),
        };
        return expr(kind, span);
    }
    expr(ExprKind::Tuple(list), span)
}

pub fn index(base: Expr, subscripts: Vec<Subscript>, end: u32) -> Expr {
    let span = Span::new(base.span.start, end);
    expr(
        ExprKind::Index {
            base: Box::new(base),
            subscripts,
        },
        span,
    )
}

pub fn field_of(base: Expr, field: Ident) -> Expr {
    let span = base.span.to(field.span);
    expr(
        ExprKind::Field {
            base: Box::new(base),
            field,
        },
        span,
    )
}

pub fn reduction_args(body: Expr, iterators: Vec<Iterator>, span: Span) -> Box<Args> {
    Box::new(Args {
        positional: vec![body],
        named: Vec::new(),
        iterators,
        span,
    })
}

pub fn partial_function(function: Path, args: Box<Args>, span: Span) -> Expr {
    let parts = function
        .parts
        .into_iter()
        .map(|part| RefPart {
            name: part.name,
            subscripts: Vec::new(),
            span: part.span,
        })
        .collect();
    let function = ComponentRef {
        global: function.global,
        parts,
        span: function.span,
    };
    expr(ExprKind::PartialFunction { function, args }, span)
}

impl<'text> Context<'text> {
    pub(super) fn new(text: &'text str, stop: &'text Cell<bool>) -> Self {
        Self {
            text,
            names: FxHashMap::default(),
            errors: Vec::new(),
            mistakes: Vec::new(),
            stop,
        }
    }

    /// Notes a mistake. After too many of them the rest of the file is not read.
    pub(super) fn report(&mut self, error: Diagnostic<Span>) {
        self.errors.push(error);
        if self.errors.len() >= crate::MAX_ERRORS {
            self.stop.set(true);
        }
    }

    fn slice(&self, token: Token) -> &'text str {
        &self.text[token.span.range()]
    }

    pub fn ident(&mut self, token: Token) -> Ident {
        let text = self.slice(token);
        let name = *self.names.entry(text).or_insert_with(|| Name::new(text));
        Ident {
            name,
            span: token.span,
        }
    }

    // Recovery: what the grammar's `!` rules call.

    fn mistake(&mut self, recovery: Recovery, around: Around) {
        self.mistakes.push(Mistake { recovery, around });
        if self.mistakes.len() >= crate::MAX_ERRORS {
            self.stop.set(true);
        }
    }

    /// `piece` is complete, but no `;` follows.
    pub fn incomplete<T>(&mut self, piece: T, name: &'static str, recovery: Recovery) -> T {
        self.mistake(recovery, Around::Complete(name));
        piece
    }

    pub fn incomplete_element(&mut self, element: Element, recovery: Recovery) -> Element {
        let name = match &element.kind {
            ElementKind::Import(_) => "import",
            ElementKind::Extends(_) => "`extends` clause",
            ElementKind::Class(_) => "class",
            _ => "declaration",
        };
        self.incomplete(element, name, recovery)
    }

    pub fn lost<T>(&mut self, recovery: Recovery) -> Option<T> {
        self.mistake(recovery, Around::Broken("class"));
        None
    }

    pub fn lost_element(&mut self, recovery: Recovery, span: Span) -> Element {
        self.mistake(recovery, Around::Broken("declaration"));
        element(ElementKind::Error, span)
    }

    pub fn lost_equation(&mut self, recovery: Recovery, span: Span) -> Equation {
        self.mistake(recovery, Around::Broken("equation"));
        Equation {
            kind: EquationKind::Error,
            comment: Comment::default(),
            span,
        }
    }

    pub fn lost_statement(&mut self, recovery: Recovery, span: Span) -> Statement {
        self.mistake(recovery, Around::Broken("statement"));
        Statement {
            kind: StatementKind::Error,
            comment: Comment::default(),
            span,
        }
    }

    pub fn lost_expr(&mut self, recovery: Recovery, span: Span) -> Expr {
        self.mistake(recovery, Around::Broken("expression"));
        expr(ExprKind::Error, span)
    }

    pub fn misplaced_partial_function(&mut self, value: Expr) -> Expr {
        self.report(
            Diagnostic::new(
                Code::MS0001,
                "a function with some arguments given can only be passed to a call",
            )
            .label(value.span, "not an argument of a function call"),
        );
        expr(ExprKind::Error, value.span)
    }

    // Files and classes.

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
        p: Prefixes,
        kind: ClassKind,
        spec: Specifier,
        constraint: Option<(ConstrainedBy, Comment)>,
        span: Span,
    ) -> Box<ClassDef> {
        self.check_prefixes(p, Place::Class, class_kind_name(kind));
        let kind = match kind {
            ClassKind::Connector if p.has(Prefix::Expandable) => ClassKind::ExpandableConnector,
            other => other,
        };
        let mut comment = spec.comment;
        let constrained_by = constraint.map(|(constraint, behind)| {
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
    ) -> Specifier {
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
    ) -> Specifier {
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
        p: Prefixes,
        base: Path,
        dims: Option<Vec<Subscript>>,
        args: Option<Vec<Argument>>,
        comment: Comment,
    ) -> Specifier {
        self.check_prefixes(p, Place::ShortBase, "the class behind `=`");
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
                    Diagnostic::new(Code::MS0018, "a class has one annotation")
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
        call: Option<(Option<ComponentRef>, Ident, Vec<Expr>)>,
        annotation: Option<Box<Annotation>>,
        span: Span,
    ) -> Box<External> {
        let language = language.map(|token| self.description(vec![token], token.span));
        let (output, name, args) = match call {
            Some((output, name, args)) => (output, Some(name), args),
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
        call: Option<(Option<ComponentRef>, Ident, Vec<Expr>)>,
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
        p: Prefixes,
        type_name: Path,
        dims: Option<Vec<Subscript>>,
        declarations: Vec<ComponentDecl>,
        constraint: Option<(ConstrainedBy, Comment)>,
        span: Span,
    ) -> Element {
        self.check_prefixes(p, Place::Component, "a component");
        let (constrained_by, comment) = constraint.unzip();
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
        p: Prefixes,
        target: Vec<Ident>,
        modification: Option<Box<Modification>>,
        description: Option<Description>,
        span: Span,
    ) -> Argument {
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
        p: Prefixes,
        kind: ClassKind,
        spec: Specifier,
        constraint: Option<ConstrainedBy>,
        span: Span,
    ) -> Argument {
        self.needs_redeclare(p, span);
        let constraint = constraint.map(|constraint| (constraint, Comment::default()));
        let class = self.class(p, kind, spec, constraint, span);
        Argument {
            kind: ArgumentKind::RedeclareClass(class),
            each: p.has(Prefix::Each),
            final_: p.has(Prefix::Final),
            span,
        }
    }

    pub fn redeclared_component(
        &mut self,
        p: Prefixes,
        type_name: Path,
        dims: Option<Vec<Subscript>>,
        declaration: ComponentDecl,
        constraint: Option<ConstrainedBy>,
        span: Span,
    ) -> Argument {
        self.check_prefixes(p, Place::Component, "a component");
        self.needs_redeclare(p, span);
        let clause = ComponentClause {
            prefixes: p.element(),
            type_prefix: p.type_prefix(),
            type_name,
            dims: dims.unwrap_or_default(),
            declarations: vec![declaration],
            constrained_by: constraint.map(Box::new),
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
            .label(span, "this declares something anew")
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
            .label(op.span, "write `=`")
            .fix(
                "replace `:=` by `=`",
                vec![Edit {
                    at: op.span,
                    text: "=".into(),
                }],
            ),
        );
    }

    // Equations and statements.

    pub fn assign_in_equation(&mut self, lhs: Expr, op: Token, rhs: Expr) -> EquationKind {
        self.report(
            Diagnostic::new(Code::MS0008, "an equation is written with `=`, not `:=`")
                .label(op.span, "write `=`")
                .note("`:=` assigns a value in an `algorithm` section; an equation states that both sides are equal.")
                .fix("replace `:=` by `=`", vec![Edit { at: op.span, text: "=".into() }]),
        );
        EquationKind::Equality { lhs, rhs }
    }

    pub fn call_equation(&mut self, expr: Expr) -> EquationKind {
        match expr.kind {
            ExprKind::Call { function, args } => EquationKind::Call {
                function,
                args: *args,
            },
            kind => {
                self.no_equation(&kind, expr.span);
                EquationKind::Error
            }
        }
    }

    fn no_equation(&mut self, kind: &ExprKind, span: Span) {
        let diagnostic = Diagnostic::new(Code::MS0001, "an equation needs `=` between two sides")
            .label(span, "this is an expression, it states nothing");
        let diagnostic = match kind {
            ExprKind::Binary {
                op: BinaryOp::Equal,
                ..
            } => diagnostic.note("`==` compares two values; an equation is written with `=`."),
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    pub fn assignment(&mut self, target: Expr, value: Expr) -> StatementKind {
        match target.kind {
            ExprKind::Ref(target) => StatementKind::Assign { target, value },
            ExprKind::Paren(inner) => self.tuple_assignment(vec![Some(*inner)], value),
            ExprKind::Tuple(targets) => self.tuple_assignment(targets, value),
            _ => {
                self.report(
                    Diagnostic::new(Code::MS0001, "only a variable can be assigned")
                        .label(target.span, "this is not a variable")
                        .note("On the left of `:=` stands a variable, or a list of variables in parentheses."),
                );
                StatementKind::Error
            }
        }
    }

    fn tuple_assignment(&mut self, targets: Vec<Option<Expr>>, value: Expr) -> StatementKind {
        match value.kind {
            ExprKind::Call { function, args } => StatementKind::AssignTuple {
                targets,
                function,
                args: *args,
            },
            _ => {
                self.report(
                    Diagnostic::new(
                        Code::MS0001,
                        "several variables are assigned from a function call only",
                    )
                    .label(value.span, "this is not a function call"),
                );
                StatementKind::Error
            }
        }
    }

    pub fn equals_in_statement(&mut self, target: Expr, op: Token, value: Expr) -> StatementKind {
        self.report(
            Diagnostic::new(Code::MS0008, "a statement assigns with `:=`, not `=`")
                .label(op.span, "write `:=`")
                .note("`=` states an equation in an `equation` section; an algorithm assigns values in order.")
                .fix("replace `=` by `:=`", vec![Edit { at: op.span, text: ":=".into() }]),
        );
        self.assignment(target, value)
    }

    pub fn call_statement(&mut self, expr: Expr) -> StatementKind {
        if let ExprKind::Call { function, args } = expr.kind {
            return StatementKind::Call {
                function,
                args: *args,
            };
        }
        self.report(
            Diagnostic::new(
                Code::MS0001,
                "a statement assigns with `:=` or calls a function",
            )
            .label(expr.span, "this is an expression, it does nothing"),
        );
        StatementKind::Error
    }

    // Literals and calls.

    pub fn integer(&mut self, token: Token) -> Expr {
        let text = self.slice(token);
        match text.parse() {
            Ok(value) => expr(ExprKind::Int(value), token.span),
            Err(_) => {
                self.report(
                    Diagnostic::new(Code::MS0013, "this integer is too large")
                        .label(token.span, "does not fit 64 bits")
                        .note("Write it as a Real number, e.g. with `.0` behind it, if an Integer is not needed."),
                );
                expr(ExprKind::Error, token.span)
            }
        }
    }

    pub fn real(&mut self, token: Token) -> Expr {
        match self.slice(token).parse::<f64>() {
            Ok(value) if value.is_finite() => expr(ExprKind::Real(value), token.span),
            _ => {
                self.report(
                    Diagnostic::new(Code::MS0013, "this number is too large for a Real")
                        .label(token.span, "the largest Real is about 1.8e308"),
                );
                expr(ExprKind::Error, token.span)
            }
        }
    }

    pub fn string(&mut self, token: Token) -> Expr {
        expr(ExprKind::Str(self.unescaped(token)), token.span)
    }

    /// The text of a string literal, escapes resolved.
    fn unescaped(&mut self, token: Token) -> Box<str> {
        let text = self.slice(token);
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut errors = Vec::new();
        let text = crate::string::unescape(inner, token.span.start + 1, &mut errors);
        errors.into_iter().for_each(|error| self.report(error));
        text
    }

    pub fn description(&mut self, parts: Vec<Token>, span: Span) -> Description {
        if let [one] = parts[..] {
            return Description {
                text: self.unescaped(one),
                span,
            };
        }
        let mut text = String::new();
        for part in parts {
            text.push_str(&self.unescaped(part));
        }
        Description {
            text: text.into(),
            span,
        }
    }

    pub fn keyword_call(&mut self, word: Token, args: Box<Args>) -> Expr {
        let name = self.ident(word);
        call(
            component_ref(None, vec![ref_part(name, Vec::new(), name.span.end)]),
            args,
        )
    }

    pub fn args(&mut self, list: Vec<CallArg>, span: Span) -> Box<Args> {
        let mut args = Args {
            span,
            ..Args::default()
        };
        for arg in list {
            match arg {
                CallArg::Positional(value) => {
                    if let Some(named) = args.named.last() {
                        self.report(
                            Diagnostic::new(
                                Code::MS0001,
                                "arguments by position come before named ones",
                            )
                            .label(value.span, "this argument has no name")
                            .label(named.name.span, "a named argument precedes it"),
                        );
                    }
                    args.positional.push(value);
                }
                CallArg::Named(named) => args.named.push(named),
            }
        }
        Box::new(args)
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
