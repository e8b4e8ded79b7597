//! Changing every span of a tree: class-relative trees for queries that must survive edits elsewhere
//! in the file, and trees without places for comparison. The list of all nodes with their parts, which stands
//! here, serves walking the tree ([`Visit`]), too.

use super::*;

/// A piece of the tree whose spans can be changed all at once. O(size of the tree).
pub trait MapSpans {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span);

    /// Makes all spans relative to `base`, a byte offset before this piece.
    fn make_relative_to(&mut self, base: u32) {
        self.map_spans(&mut |span| span.relative_to(base));
    }

    /// Inverse of [`MapSpans::make_relative_to`].
    fn shift_spans(&mut self, base: u32) {
        self.map_spans(&mut |span| span.shifted_by(base));
    }

    /// Forgets all places: two trees are the same text in another layout exactly if they are equal
    /// after this.
    fn erase_spans(&mut self) {
        self.map_spans(&mut |_| Span::default());
    }
}

impl MapSpans for Span {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        *self = map(*self);
    }
}

impl<T: MapSpans> MapSpans for Vec<T> {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        for item in self {
            item.map_spans(map);
        }
    }
}

impl<T: MapSpans> MapSpans for Option<T> {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        if let Some(item) = self {
            item.map_spans(map);
        }
    }
}

impl<T: MapSpans> MapSpans for Box<T> {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        (**self).map_spans(map);
    }
}

impl MapSpans for (Expr, Expr) {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        self.0.map_spans(map);
        self.1.map_spans(map);
    }
}

impl<T: MapSpans> MapSpans for Branch<T> {
    fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
        self.condition.map_spans(map);
        self.body.map_spans(map);
    }
}

/// `structs! { Node: field, field; ... }`: the fields that hold spans, in any depth. The pattern
/// names every field, so that a new one cannot be forgotten.
macro_rules! structs {
    ($($node:ident { $($field:ident),* $(; $($other:ident),*)? })*) => {$(
        impl MapSpans for $node {
            fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
                let $node { $($field,)* $($($other: _,)*)? } = self;
                $($field.map_spans(map);)*
            }
        }

        impl Visit for $node {
            fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
                if enter(Node::$node(self)) {
                    let $node { $($field,)* $($($other: _,)*)? } = self;
                    $($field.visit(enter);)*
                }
            }
        }
    )*

        /// A node of the tree.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Node<'a> {
            $($node(&'a $node),)*
        }
    };
}

structs! {
    Ident { span; name }
    Path { parts, span; global }
    StoredDefinition { within, classes }
    Within { path, span }
    Description { span; text }
    Comment { description, annotation }
    Annotation { args, span }
    ClassDef { span, name, spec, constrained_by, comment; kind, encapsulated, partial, purity, prefixes }
    ShortClass { base, dims, modification; type_prefix }
    EnumLiteral { name, comment }
    ClassBody { elements, sections, external }
    Section { kind, span; initial }
    External { language, output, name, args, annotation, span }
    Element { kind, span; protected }
    Import { path, kind, comment }
    Extends { base, modification, annotation }
    ConstrainedBy { base, modification, span }
    ComponentClause {
        type_name, dims, declarations, constrained_by, comment; prefixes, type_prefix
    }
    ComponentDecl { name, dims, modification, condition, comment, span }
    Modification { args, binding, span }
    Argument { kind, span; each, final_ }
    Equation { kind, comment, span }
    Statement { kind, comment, span }
    Expr { kind, span }
    ComponentRef { parts, span; global }
    RefPart { subscripts, span; name }
    Args { positional, named, iterators, span }
    NamedArg { name, value }
    Iterator { name, range }
}

/// The same for enums: every variant with its fields.
macro_rules! enums {
    ($($node:ident { $($pattern:pat => $($field:ident),*;)* })*) => {$(
        impl MapSpans for $node {
            fn map_spans(&mut self, map: &mut impl FnMut(Span) -> Span) {
                use $node::*;
                match self {
                    $($pattern => { $($field.map_spans(map);)* })*
                }
            }
        }

        impl Visit for $node {
            fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
                use $node::*;
                let _ = &enter;
                match self {
                    $($pattern => { $($field.visit(enter);)* })*
                }
            }
        }
    )*};
}

enums! {
    ClassSpec {
        Long(body) => body;
        Extends { modification, body } => modification, body;
        Short(short) => short;
        Enumeration { literals } => literals;
        Der { function, wrt } => function, wrt;
        Error => ;
    }
    SectionKind {
        Equations(list) => list;
        Algorithm(list) => list;
    }
    ElementKind {
        Import(import) => import;
        Extends(extends) => extends;
        Class(class) => class;
        Components(clause) => clause;
        Error => ;
    }
    ImportKind {
        Renaming(name) => name;
        Names(names) => names;
        Qualified | All => ;
    }
    Binding {
        Expr(expr) => expr;
        Break(span) => span;
    }
    ArgumentKind {
        Modify { target, modification, comment } => target, modification, comment;
        RedeclareComponent(clause) => clause;
        RedeclareClass(class) => class;
        BreakComponent(name) => name;
        BreakConnect(from, to) => from, to;
        Error => ;
    }
    EquationKind {
        Equality { lhs, rhs } => lhs, rhs;
        If { branches, else_ } => branches, else_;
        For { iterators, body } => iterators, body;
        Connect { from, to } => from, to;
        When { branches } => branches;
        Call { function, args } => function, args;
        Error => ;
    }
    StatementKind {
        Assign { target, value } => target, value;
        AssignTuple { targets, function, args } => targets, function, args;
        Call { function, args } => function, args;
        If { branches, else_ } => branches, else_;
        For { iterators, body } => iterators, body;
        While { condition, body } => condition, body;
        When { branches } => branches;
        Break | Return | Error => ;
    }
    ExprKind {
        Int(_) | Real(_) | Str(_) | Bool(_) | End | Error => ;
        Ref(reference) => reference;
        Call { function, args } => function, args;
        Unary { op: _, operand } => operand;
        Binary { op: _, lhs, rhs } => lhs, rhs;
        If { branches, else_ } => branches, else_;
        Range { start, step, stop } => start, step, stop;
        Array(items) => items;
        Comprehension { body, iterators } => body, iterators;
        Matrix(rows) => rows;
        Tuple(items) => items;
        Paren(inner) => inner;
        Index { base, subscripts } => base, subscripts;
        Field { base, field } => base, field;
        PartialFunction { function, args } => function, args;
    }
    Subscript {
        All(span) => span;
        Expr(expr) => expr;
    }
}

#[cfg(test)]
mod tests {
    use super::MapSpans;
    use crate::parse;

    const TEXT: &str = "package P model A Real x(start = 1) = y[2] \"d\"; equation connect(a, b[1]); end A; end P;";

    #[test]
    fn text_before_a_class_moves_its_spans_and_nothing_else() {
        let mut here = parse(TEXT).file;
        let there = parse(&format!("   {TEXT}")).file;
        assert_ne!(here, there);
        here.shift_spans(3);
        assert_eq!(here, there);
        here.make_relative_to(3);
        assert_eq!(here, parse(TEXT).file);
    }

    #[test]
    fn layout_vanishes_with_the_spans() {
        let mut here = parse(TEXT).file;
        let mut there = parse(&TEXT.replace(' ', "\n  ")).file;
        here.erase_spans();
        there.erase_spans();
        assert_eq!(here, there);
    }
}
