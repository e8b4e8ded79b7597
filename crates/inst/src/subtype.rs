//! Whether what is put in the place of an element fits there (Modelica 3.6 §6.4, §7.3.2): a redeclaration has at least
//! the elements of the constraining type.
//!
//! Asked at the end, when looking things up cannot disturb an expansion under way, and once per pair of texts. A class
//! that extends the constraining one fits without a comparison; otherwise linear in the elements of the
//! constraining class and of the classes of its components, down to [`DEPTH`] levels.

use crate::cx::Cx;
use crate::modifier::{Redeclare, RedeclareKind};
use crate::node::{ClassElem, CompDecl, Def, Elem, ElemId, ElemKind, NodeId};
use crate::tree::Place;
use crate::ty::Type;
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::Element;
use modeshift_syntax::ast::ClassKind;

/// How deep components are compared.
const DEPTH: u32 = 4;

/// Why one class cannot stand for another.
enum Misfit {
    Missing(Name),
    /// What the constraining type says of the element, and what the other one does.
    Differs(Name, String, String),
    Whole(String, String),
}

impl<'a> Cx<'_, 'a> {
    /// Holds every redeclaration that was made to the constraining type of what it replaces.
    pub(crate) fn check_redeclarations(&mut self) {
        let mut seen: FxHashSet<(Place, Place)> = FxHashSet::default();
        let mut index = 0;
        while let Some(&elem) = self.redeclared.get(index) {
            index += 1;
            let pair = match &self.elem(elem).kind {
                ElemKind::Class(class) => {
                    let constraint = class.constraint().def;
                    constraint.name_place().zip(class.def.name_place())
                }
                ElemKind::Component(comp) => {
                    let constraint = comp.constraint.as_ref().map_or(comp.decl, |it| it.0);
                    Some((constraint.place(), comp.decl.place()))
                }
            };
            if let Some(pair) = pair.filter(|pair| seen.insert(*pair)) {
                self.check_redeclaration(elem, pair);
            }
        }
        for (again, first) in std::mem::take(&mut self.redeclared_again) {
            let constrains = first.constrained_by().is_some() && again.place != first.place;
            if constrains && seen.insert((first.place, again.place)) {
                self.check_redeclared_again(&again, &first);
            }
        }
    }

    /// A redeclaration may give a new constraining type: those further out are held to it.
    fn check_redeclared_again(&mut self, again: &Redeclare<'a>, first: &Redeclare<'a>) {
        let misfit = self.quietly(|cx| cx.misfit_of_first(again, first)).0;
        let Some(misfit) = misfit else { return };
        let name = match again.kind {
            RedeclareKind::Component(decl) => decl.name.name,
            RedeclareKind::Class { def, .. } => def.name.name,
        };
        self.tell_misfit(name, misfit, first.place, again.place);
    }

    fn misfit_of_first(&mut self, again: &Redeclare<'a>, first: &Redeclare<'a>) -> Option<Misfit> {
        match (again.kind, first.kind) {
            (RedeclareKind::Component(new), RedeclareKind::Component(old)) => {
                self.component_misfit(&new, again.scope, Some(&(old, first.scope)))
            }
            (
                RedeclareKind::Class { def, text },
                RedeclareKind::Class {
                    def: old,
                    text: old_text,
                },
            ) => {
                let mut element = |def, scope, text| {
                    let class = ClassElem {
                        def: Def::Short { def, text },
                        scope,
                        modifier: None,
                        constraining: None,
                        original: None,
                    };
                    is_compared(&class).then(|| {
                        self.add_elem(Elem {
                            name: def.name.name,
                            node: scope,
                            protected: false,
                            kind: ElemKind::Class(class),
                            class_node: None,
                        })
                    })
                };
                let own = element(def, again.scope, text)?;
                let clause = old.constrained_by.as_deref()?;
                let wanted = self.lookup_class(first.scope, &clause.base, old_text)?;
                self.misfit(own, wanted, 0, 0)
            }
            _ => None,
        }
    }

    /// An `inner` component has the type and the size that the `outer` ones count on (Modelica 3.6 §5.4).
    pub(crate) fn check_outers(&mut self) {
        for id in self.out.components.ids() {
            let outer = &self.out.components[id];
            if outer.absent {
                continue;
            }
            let Some(inner) = outer.outer.map(|inner| &self.out.components[inner]) else {
                continue;
            };
            let basic = |ty: &Type| !matches!(ty, Type::Record(_) | Type::Unknown);
            let same_type = if basic(&outer.ty) || basic(&inner.ty) {
                outer.ty == inner.ty
                    || outer.ty.is_unknown()
                    || inner.ty.is_unknown()
                    || matches!(
                        (&outer.ty, &inner.ty),
                        (Type::External(_), Type::External(_))
                    )
            } else {
                true
            };
            let same_size = outer.dims.len() == inner.dims.len()
                && (outer.dims.iter())
                    .zip(&inner.dims)
                    .all(|(a, b)| a.compatible(b));
            if same_type && same_size {
                continue;
            }
            let full = |it: &crate::tree::Component| Type::array(it.ty.clone(), it.dims.clone());
            let diagnostic = Diagnostic::new(
                Code::MS2016,
                format!(
                    "the inner `{}` is {}, but the outer one is {}",
                    outer.name,
                    full(inner),
                    full(outer)
                ),
            )
            .with_severity(modeshift_diag::Severity::Error)
            .label(outer.place, "declared outer")
            .label(inner.place, "the inner one");
            self.report(diagnostic);
        }
    }

    fn check_redeclaration(&mut self, elem: ElemId, (declared, redeclared): (Place, Place)) {
        let misfit = self
            .quietly(|cx| match &cx.elem(elem).kind {
                ElemKind::Class(_) => cx.class_misfit(elem),
                ElemKind::Component(comp) => {
                    let (decl, scope) = (comp.decl, comp.scope);
                    let constraint = comp.constraint.clone();
                    cx.component_misfit(&decl, scope, constraint.as_deref())
                }
            })
            .0;
        let Some(misfit) = misfit else { return };
        self.tell_misfit(self.elem(elem).name, misfit, declared, redeclared);
    }

    fn tell_misfit(&mut self, name: Name, misfit: Misfit, declared: Place, redeclared: Place) {
        let message = if declared == redeclared {
            format!("`{name}` does not fit its own constraining type")
        } else {
            format!("`{name}` cannot be redeclared like this: it does not fit what it replaces")
        };
        let label = match misfit {
            Misfit::Missing(part) => format!("this has no `{part}`"),
            Misfit::Differs(part, wanted, is) => {
                format!("here `{part}` is {is}, but it has to be {wanted}")
            }
            Misfit::Whole(wanted, is) => format!("this is {is}, but has to be {wanted}"),
        };
        let mut diagnostic = Diagnostic::new(Code::MS2011, message).label(redeclared, label);
        if declared != redeclared {
            diagnostic = diagnostic.label(declared, "what is replaced");
        }
        self.report(diagnostic.note(
            "Whoever uses the class counts on the elements of the constraining type: a redeclaration must have them, too.",
        ));
    }

    fn class_misfit(&mut self, elem: ElemId) -> Option<Misfit> {
        let class = self.elem(elem).class()?.clone();
        let original = class.constraint().clone();
        // The clause constrains what the dimensions of the class are dimensions of.
        let clause = original.def.constrained_by();
        let own_dims = self
            .elem(elem)
            .class()?
            .def
            .short()
            .map_or(0, |it| it.dims.len());
        let own_dims = if clause.is_some() { own_dims } else { 0 };
        let constraint = match clause {
            Some(clause) => {
                self.lookup_class(original.scope, &clause.base, original.def.text()?)?
            }
            None => {
                let name = self.elem(elem).name;
                self.add_elem(Elem {
                    name,
                    node: original.scope,
                    protected: false,
                    kind: ElemKind::Class(original),
                    class_node: None,
                })
            }
        };
        self.misfit(elem, constraint, own_dims, 0)
    }

    fn component_misfit(
        &mut self,
        decl: &CompDecl<'a>,
        scope: NodeId,
        original: Option<&(CompDecl<'a>, NodeId)>,
    ) -> Option<Misfit> {
        let (old, old_scope) = original.copied().unwrap_or((*decl, scope));
        let constraint = match old.constrained_by {
            Some(clause) => self.lookup_class(old_scope, &clause.base, old.text)?,
            None => self.lookup_class(old_scope, old.type_name, old.text)?,
        };
        let own = self.lookup_class(scope, decl.type_name, decl.text)?;
        let misfit = self.misfit(own, constraint, 0, 0);
        if misfit.is_some() || original.is_none() {
            return misfit;
        }
        // What constrains later redeclarations fits, too.
        let clause = decl.constrained_by?;
        let own = self.lookup_class(scope, &clause.base, decl.text)?;
        self.misfit(own, constraint, 0, 0)
    }

    /// What the class `own`, apart from its first dimensions, lacks of the class `wanted`.
    fn misfit(
        &mut self,
        own: ElemId,
        wanted: ElemId,
        own_dims: usize,
        depth: u32,
    ) -> Option<Misfit> {
        if own == wanted || depth > DEPTH {
            return None;
        }
        match (self.alias(own), self.alias(wanted)) {
            (Some(own), Some(wanted)) => {
                let fine = match (&own.ty, &wanted.ty) {
                    // `enumeration(:)` stands for all of them.
                    (Type::Enumeration(own), Type::Enumeration(wanted)) => {
                        wanted.literals.is_empty() || own.literals == wanted.literals
                    }
                    (own, wanted) => own == wanted,
                };
                let rank = |dims: &[crate::resolve::TypeDims<'_>]| -> usize {
                    dims.iter().map(|level| level.dims.len()).sum()
                };
                let same_rank = rank(&own.dims) == rank(&wanted.dims) + own_dims;
                return (!fine || !same_rank).then(|| {
                    let text = |ty: &Type, rank: usize| match rank {
                        0 => ty.to_string(),
                        n => format!("{ty} with {n} dimensions"),
                    };
                    Misfit::Whole(
                        text(&wanted.ty, rank(&wanted.dims)),
                        text(&own.ty, rank(&own.dims)),
                    )
                });
            }
            (Some(own), None) => {
                let wanted = self.class_node(wanted)?;
                return (self.has_parts(wanted)).then(|| {
                    Misfit::Whole("a class with elements".to_owned(), own.ty.to_string())
                });
            }
            (None, Some(wanted)) => {
                let node = self.class_node(own)?;
                let known = matches!(self.node(node).def, Def::Class(..))
                    && !self.is_external_object(node)
                    && !self.has_error_base(node);
                return known.then(|| Misfit::Whole(wanted.ty.to_string(), "a class".to_owned()));
            }
            (None, None) => {}
        }
        let (own, wanted) = (self.class_node(own)?, self.class_node(wanted)?);
        self.node_misfit(own, wanted, depth)
    }

    fn has_parts(&mut self, node: NodeId) -> bool {
        let mut parts = Vec::new();
        self.collect_components(node, &mut parts);
        !parts.is_empty()
    }

    fn node_misfit(&mut self, own: NodeId, wanted: NodeId, depth: u32) -> Option<Misfit> {
        if self.extends_def(own, self.node(wanted).def, 0) || self.has_error_base(own) {
            return None;
        }
        let mut parts = Vec::new();
        self.collect_components(wanted, &mut parts);
        for part in parts {
            let name = self.elem(part).name;
            if self.elem(part).protected {
                continue;
            }
            let Some(found) = self.lookup_member(own, name) else {
                return Some(Misfit::Missing(name));
            };
            if let Some(misfit) = self.part_misfit(name, found, part, depth) {
                return Some(misfit);
            }
        }
        self.missing_class(own, wanted, 0)
    }

    fn part_misfit(
        &mut self,
        name: Name,
        own: ElemId,
        wanted: ElemId,
        depth: u32,
    ) -> Option<Misfit> {
        let old = self.elem(wanted).component()?;
        let (old, old_scope) = (old.decl, old.scope);
        let Some(new) = self.elem(own).component() else {
            return Some(Misfit::Differs(
                name,
                "a component".to_owned(),
                "a class".to_owned(),
            ));
        };
        let (new, new_scope) = (new.decl, new.scope);
        let old_type = self.lookup_class(old_scope, old.type_name, old.text)?;
        let new_type = self.lookup_class(new_scope, new.type_name, new.text)?;
        match self.misfit(new_type, old_type, 0, depth + 1)? {
            Misfit::Missing(part) => Some(Misfit::Differs(
                name,
                format!("a component with `{part}`"),
                "without it".to_owned(),
            )),
            Misfit::Whole(wanted, is) => Some(Misfit::Differs(name, wanted, is)),
            inner @ Misfit::Differs(..) => Some(inner),
        }
    }

    /// A public class that `wanted` declares or inherits and `own` lacks.
    fn missing_class(&mut self, own: NodeId, wanted: NodeId, depth: u32) -> Option<Misfit> {
        if let Def::Class(_, data) = self.node(wanted).def {
            for element in data.elements() {
                if let Element::Class(class) = element
                    && !class.protected
                    && self.lookup_member(own, class.name).is_none()
                {
                    return Some(Misfit::Missing(class.name));
                }
            }
        }
        if depth > 32 {
            return None;
        }
        let bases = self.node(wanted).bases.clone();
        bases
            .into_iter()
            .find_map(|base| self.missing_class(own, base, depth + 1))
    }

    /// Whether the class is the definition or inherits from it.
    pub(crate) fn extends_def(&mut self, node: NodeId, def: Def<'a>, depth: u32) -> bool {
        if self.node(node).def.same(def) {
            return true;
        }
        self.expand(node);
        let bases = self.node(node).bases.clone();
        depth < 32
            && bases
                .into_iter()
                .any(|base| self.extends_def(base, def, depth + 1))
    }

    /// What holds of every redeclaration of a component, wherever it is written (Modelica 3.6 §7.3.3).
    pub(crate) fn check_redeclared_component(&mut self, new: &CompDecl<'a>, old: &CompDecl<'a>) {
        use modeshift_syntax::ast::VariabilityPrefix as V;
        let name = new.name.name;
        let place = new.place();
        if let Some(condition) = new.condition {
            self.error(
                Code::MS2011,
                crate::tree::place_of(new.text, condition.span),
                format!("the redeclaration of `{name}` cannot have a condition"),
                "a condition",
            );
        }
        let (was, is) = (old.type_prefix.variability, new.type_prefix.variability);
        let problem = match (was, is) {
            (Some(V::Constant), _) => "is a constant and cannot be redeclared",
            (Some(V::Parameter), Some(V::Discrete)) => {
                "is a parameter and cannot be redeclared as a variable"
            }
            _ => return,
        };
        let diagnostic = Diagnostic::new(Code::MS2011, format!("`{name}` {problem}"))
            .label(place, "redeclared here")
            .label(old.place(), "declared here");
        self.report(diagnostic);
    }

    /// A redeclaration in a class stays in the kind of section that the element came from.
    pub(crate) fn check_redeclared_section(
        &mut self,
        name: Name,
        place: Place,
        protected: bool,
        old: ElemId,
        inherited_protected: bool,
    ) {
        let was = self.elem(old).protected;
        if was == protected || was && inherited_protected {
            return;
        }
        let text = |protected| if protected { "protected" } else { "public" };
        let message = format!(
            "`{name}` is {} and cannot become {} by a redeclaration",
            text(was),
            text(protected)
        );
        let mut diagnostic = Diagnostic::new(Code::MS2011, message).label(
            place,
            format!("redeclared in a {} section", text(protected)),
        );
        if let Some(declared) = self.elem(old).place() {
            diagnostic = diagnostic.label(declared, format!("declared {}", text(was)));
        }
        self.report(diagnostic);
    }
}

/// Whether the class of the element and what it replaces are worth a comparison: functions are compared when called.
pub(crate) fn is_compared(class: &ClassElem<'_>) -> bool {
    !matches!(
        class.def.kind(),
        ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Operator
    )
}
