//! Copies a piece of a syntax tree with its spans moved to another origin and its annotations reduced
//! to the meaningful ones.
//!
//! Linear in the size of the copy. The depth of the recursion is that of the tree, which the parser
//! limits.

use crate::annotation;
use crate::layout::Layout;
use modeshift_base::{Name, Span};
use modeshift_syntax::ast::*;

pub(crate) trait Rebase {
    /// A copy whose spans are in the own text of `layout`.
    fn rebase(&self, layout: &Layout) -> Self;
}

macro_rules! rebase_copy {
    ($($ty:ty)*) => {$(
        impl Rebase for $ty {
            fn rebase(&self, _: &Layout) -> Self {
                *self
            }
        }
    )*};
}

macro_rules! rebase_struct {
    ($($ty:ident { $($field:ident),* })*) => {$(
        impl Rebase for $ty {
            fn rebase(&self, layout: &Layout) -> Self {
                Self { $($field: self.$field.rebase(layout)),* }
            }
        }
    )*};
}

macro_rules! rebase_enum {
    ($($ty:ident { $($variant:ident $(($($item:ident),*))? $({$($field:ident),*})?)* })*) => {$(
        impl Rebase for $ty {
            fn rebase(&self, layout: &Layout) -> Self {
                match self {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? =>
                        Self::$variant $(($($item.rebase(layout)),*))? $({$($field: $field.rebase(layout)),*})?,)*
                }
            }
        }
    )*};
}

rebase_copy! {
    bool i64 f64 Name ClassKind Purity ElementPrefixes TypePrefix UnaryOp BinaryOp
}

impl Rebase for Span {
    fn rebase(&self, layout: &Layout) -> Self {
        layout.to_own(*self)
    }
}

impl Rebase for Box<str> {
    fn rebase(&self, _: &Layout) -> Self {
        self.clone()
    }
}

impl<T: Rebase> Rebase for Vec<T> {
    fn rebase(&self, layout: &Layout) -> Self {
        self.iter().map(|item| item.rebase(layout)).collect()
    }
}

impl<T: Rebase> Rebase for Option<T> {
    fn rebase(&self, layout: &Layout) -> Self {
        self.as_ref().map(|item| item.rebase(layout))
    }
}

impl<T: Rebase> Rebase for Box<T> {
    fn rebase(&self, layout: &Layout) -> Self {
        Self::new((**self).rebase(layout))
    }
}

impl<A: Rebase, B: Rebase> Rebase for (A, B) {
    fn rebase(&self, layout: &Layout) -> Self {
        (self.0.rebase(layout), self.1.rebase(layout))
    }
}

impl<T: Rebase> Rebase for Branch<T> {
    fn rebase(&self, layout: &Layout) -> Self {
        Self {
            condition: self.condition.rebase(layout),
            body: self.body.rebase(layout),
        }
    }
}

/// What is left of an annotation; `None` when nothing is.
pub(crate) fn rebase_annotation(
    annotation: Option<&Annotation>,
    layout: &Layout,
) -> Option<Box<Annotation>> {
    let annotation = annotation?;
    let args: Vec<Argument> = annotation
        .args
        .iter()
        .filter(|argument| annotation::is_meaningful(argument))
        .map(|argument| argument.rebase(layout))
        .collect();
    (!args.is_empty()).then(|| {
        // Annotations are cut out of the own text, so this is an empty span at its place.
        let span = layout.to_own(annotation.span);
        Box::new(Annotation { args, span })
    })
}

impl Rebase for Comment {
    fn rebase(&self, layout: &Layout) -> Self {
        Self {
            description: self.description.rebase(layout),
            annotation: rebase_annotation(self.annotation.as_deref(), layout),
        }
    }
}

impl Rebase for Extends {
    fn rebase(&self, layout: &Layout) -> Self {
        Self {
            base: self.base.rebase(layout),
            modification: self.modification.rebase(layout),
            annotation: rebase_annotation(self.annotation.as_deref(), layout),
        }
    }
}

impl Rebase for External {
    fn rebase(&self, layout: &Layout) -> Self {
        Self {
            language: self.language.rebase(layout),
            output: self.output.rebase(layout),
            name: self.name.rebase(layout),
            args: self.args.rebase(layout),
            annotation: rebase_annotation(self.annotation.as_deref(), layout),
            span: self.span.rebase(layout),
        }
    }
}

rebase_struct! {
    Ident { name, span }
    Path { global, parts, span }
    Description { text, span }
    Annotation { args, span }
    ClassDef {
        span, kind, encapsulated, partial, purity, prefixes, name, spec, constrained_by, comment
    }
    ShortClass { type_prefix, base, dims, modification }
    EnumLiteral { name, comment }
    ClassBody { elements, sections, external }
    Section { initial, kind, span }
    Element { kind, protected, span }
    Import { path, kind, comment }
    ConstrainedBy { base, modification, span }
    ComponentClause {
        prefixes, type_prefix, type_name, dims, declarations, constrained_by, comment
    }
    ComponentDecl { name, dims, modification, condition, comment, span }
    Modification { args, binding, span }
    Argument { kind, each, final_, span }
    Equation { kind, comment, span }
    Statement { kind, comment, span }
    Expr { kind, span }
    ComponentRef { global, parts, span }
    RefPart { name, subscripts, span }
    Args { positional, named, iterators, span }
    NamedArg { name, value }
    Iterator { name, range }
}

rebase_enum! {
    ClassSpec {
        Long(body)
        Extends { modification, body }
        Short(short)
        Enumeration { literals }
        Der { function, wrt }
        Error
    }
    ElementKind { Import(it) Extends(it) Class(it) Components(it) Error }
    ImportKind { Qualified Renaming(name) All Names(names) }
    Binding { Expr(expr) Break(span) }
    ArgumentKind {
        Modify { target, modification, comment }
        RedeclareComponent(clause)
        RedeclareClass(class)
        BreakComponent(name)
        BreakConnect(from, to)
        Error
    }
    SectionKind { Equations(equations) Algorithm(statements) }
    EquationKind {
        Equality { lhs, rhs }
        If { branches, else_ }
        For { iterators, body }
        Connect { from, to }
        When { branches }
        Call { function, args }
        Error
    }
    StatementKind {
        Assign { target, value }
        AssignTuple { targets, function, args }
        Call { function, args }
        Break
        Return
        If { branches, else_ }
        For { iterators, body }
        While { condition, body }
        When { branches }
        Error
    }
    ExprKind {
        Int(value)
        Real(value)
        Str(text)
        Bool(value)
        Ref(reference)
        Call { function, args }
        Unary { op, operand }
        Binary { op, lhs, rhs }
        If { branches, else_ }
        Range { start, step, stop }
        Array(items)
        Comprehension { body, iterators }
        Matrix(rows)
        Tuple(items)
        Paren(inner)
        Index { base, subscripts }
        Field { base, field }
        PartialFunction { function, args }
        End
        Error
    }
    Subscript { All(span) Expr(expr) }
}
