//! Walking a tree without changing it.

use super::*;

/// Something made of nodes that can be walked. The implementations for the nodes themselves are made by the
/// macros beside [`MapSpans`], which name every field of every node.
pub trait Visit {
    /// Tells `enter` every node, each before those in it; the parts of a node for which it answers `false`
    /// are left out. O(size of what is walked); the depth of the recursion is that
    /// of the tree, which the parser limits.
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool);
}

impl Visit for Span {
    fn visit<'a>(&'a self, _: &mut dyn FnMut(Node<'a>) -> bool) {}
}

impl<T: Visit> Visit for [T] {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        for item in self {
            item.visit(enter);
        }
    }
}

impl<T: Visit> Visit for Vec<T> {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        self.as_slice().visit(enter);
    }
}

impl<T: Visit> Visit for Option<T> {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        if let Some(item) = self {
            item.visit(enter);
        }
    }
}

impl<T: Visit> Visit for Box<T> {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        (**self).visit(enter);
    }
}

impl Visit for (Expr, Expr) {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        self.0.visit(enter);
        self.1.visit(enter);
    }
}

impl<T: Visit> Visit for Branch<T> {
    fn visit<'a>(&'a self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        self.condition.visit(enter);
        self.body.visit(enter);
    }
}

impl Node<'_> {
    /// Where the node is; `None` for those that only group others.
    pub fn span(self) -> Option<Span> {
        Some(match self {
            Node::Ident(it) => it.span,
            Node::Path(it) => it.span,
            Node::Within(it) => it.span,
            Node::Description(it) => it.span,
            Node::Annotation(it) => it.span,
            Node::ClassDef(it) => it.span,
            Node::Section(it) => it.span,
            Node::External(it) => it.span,
            Node::Element(it) => it.span,
            Node::ConstrainedBy(it) => it.span,
            Node::ComponentDecl(it) => it.span,
            Node::Modification(it) => it.span,
            Node::Argument(it) => it.span,
            Node::Equation(it) => it.span,
            Node::Statement(it) => it.span,
            Node::Expr(it) => it.span,
            Node::ComponentRef(it) => it.span,
            Node::RefPart(it) => it.span,
            Node::Args(it) => it.span,
            Node::NamedArg(it) => it.name.span.to(it.value.span),
            Node::Iterator(it) => match &it.range {
                Some(range) => it.name.span.to(range.span),
                None => it.name.span,
            },
            Node::StoredDefinition(_)
            | Node::Comment(_)
            | Node::ShortClass(_)
            | Node::EnumLiteral(_)
            | Node::ClassBody(_)
            | Node::Import(_)
            | Node::Extends(_)
            | Node::ComponentClause(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, Visit};
    use crate::parse;

    #[test]
    fn every_node_is_met_before_its_parts_and_inside_its_parents() {
        let text = "package P model A Real x(start = 1) = y[2]; equation for i in 1:3 loop connect(a, b[i]); end for; end A; end P;";
        let file = parse(text).file;
        let mut spans = Vec::new();
        let mut iterators = 0;
        file.visit(&mut |node| {
            spans.extend(node.span());
            iterators += usize::from(matches!(node, Node::Iterator(_)));
            true
        });
        assert_eq!(iterators, 1);
        assert!(spans.len() > 20, "{spans:?}");
        let top = spans[0];
        assert!(
            spans
                .iter()
                .all(|it| top.start <= it.start && it.end <= top.end)
        );
        let mut top_only = 0;
        file.visit(&mut |node| {
            top_only += 1;
            matches!(node, Node::StoredDefinition(_))
        });
        assert_eq!(top_only, 2, "the file and its class");
    }
}
