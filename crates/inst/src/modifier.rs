//! Modifiers: `a(x(start = 1), redeclare T y) = e`, as trees that are merged outer over inner.
//!
//! Modelica 3.6 §7.2: an outer modifier wins over an inner one, element by element. A value remembers the
//! scope it is looked up in and the class it was applied in, because by the time it reaches its variable it
//! has travelled through any number of classes.

use crate::node::{CompDecl, NodeId};
use crate::tree::Place;
use modeshift_base::Name;
use modeshift_diag::Diagnostic;
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{
    Argument, ArgumentKind, Binding, ClassDef, ComponentRef, ConstrainedBy, Expr, Ident,
    Modification,
};
use std::sync::Arc;

/// The value of a modifier.
#[derive(Clone, Copy)]
pub(crate) struct ModValue<'a> {
    /// `None` for `= break`.
    pub exp: Option<&'a Expr>,
    /// Where its names are looked up.
    pub scope: NodeId,
    /// The class in which it was applied: components above do not index it.
    pub at: NodeId,
    /// Given with `each`: how many components lie between the argument with `each` and the target.
    pub each: Option<u32>,
    pub final_: bool,
    pub place: Place,
    /// The class whose text it stands in.
    pub text: ClassId,
}

#[derive(Clone, Copy)]
pub(crate) enum RedeclareKind<'a> {
    Component(CompDecl<'a>),
    Class { def: &'a ClassDef, text: ClassId },
}

#[derive(Clone, Copy)]
pub(crate) struct Redeclare<'a> {
    pub kind: RedeclareKind<'a>,
    pub scope: NodeId,
    /// The class the modifier was applied in.
    pub at: NodeId,
    /// `redeclare`; otherwise it is `replaceable` alone.
    pub redeclare: bool,
    pub place: Place,
}

impl Redeclare<'_> {
    /// Whether somebody else may redeclare it again.
    pub fn replaceable(&self) -> bool {
        match self.kind {
            RedeclareKind::Component(decl) => decl.prefixes.replaceable,
            RedeclareKind::Class { def, .. } => def.prefixes.replaceable,
        }
    }

    /// The constraining type that it gives to those who redeclare it again.
    pub fn constrained_by(&self) -> Option<&ConstrainedBy> {
        match self.kind {
            RedeclareKind::Component(decl) => decl.constrained_by,
            RedeclareKind::Class { def, .. } => def.constrained_by.as_deref(),
        }
    }

    /// Whether it gives a value: `redeclare Real x = 1`.
    fn has_value(&self) -> bool {
        match self.kind {
            RedeclareKind::Component(decl) => {
                decl.modification.is_some_and(|it| it.binding.is_some())
            }
            RedeclareKind::Class { .. } => false,
        }
    }
}

/// A modifier of one element.
#[derive(Clone)]
pub(crate) struct Mod<'a> {
    pub subs: Vec<(Name, Arc<Mod<'a>>)>,
    pub value: Option<ModValue<'a>>,
    pub redeclare: Option<Redeclare<'a>>,
    pub final_: bool,
    /// The modifier of the element, for messages.
    pub place: Place,
    /// Where `each` was given for the element itself.
    pub each: bool,
    /// The class the modifier was applied in.
    pub at: NodeId,
    pub breaks: Vec<Break<'a>>,
    /// Modifiers that a redeclaration found in its way: they are weaker than its own.
    pub under: Option<Arc<Mod<'a>>>,
    /// The redeclaration that this one takes the place of: its constraining type holds, too.
    pub replaced: Option<Redeclare<'a>>,
    /// The class whose text it stands in.
    pub text: ClassId,
}

impl Mod<'_> {
    /// Whether its place begins with the name of the element, not with a prefix.
    pub(crate) fn begins_with_name(&self) -> bool {
        !self.each && !self.final_ && self.redeclare.is_none()
    }

    /// Proposes other names for the one that it modifies.
    pub(crate) fn suggest(
        &self,
        diagnostic: Diagnostic<Place>,
        name: Name,
        similar: &[Name],
    ) -> Diagnostic<Place> {
        match similar {
            [] => diagnostic,
            _ if self.begins_with_name() => {
                crate::unknown::suggest(diagnostic, self.name_place(name), similar)
            }
            _ => diagnostic.note(format!("did you mean {}?", modeshift_hir::one_of(similar))),
        }
    }

    /// The place of its name, where it begins with it.
    pub(crate) fn name_place(&self, name: Name) -> Place {
        let mut at = self.place;
        at.span.end = at.span.start + name.as_str().len() as u32;
        at
    }
}

/// What selective extension (Modelica 3.7) removes.
#[derive(Clone, Copy)]
pub(crate) enum Break<'a> {
    Component(Ident),
    Connect(&'a ComponentRef, &'a ComponentRef),
}

/// What goes wrong while modifiers are read or merged.
pub(crate) enum ModError {
    Duplicate {
        name: String,
        first: Place,
        second: Place,
    },
    Final {
        name: Name,
        outer: Place,
        inner: Place,
    },
    /// Both redeclare, and the inner redeclaration is not replaceable.
    Redeclared {
        name: Name,
        outer: Place,
        inner: Place,
    },
}

/// Where a modifier is written.
#[derive(Clone, Copy)]
pub(crate) struct ModSite {
    pub scope: NodeId,
    pub at: NodeId,
    pub text: ClassId,
}

impl<'a> Mod<'a> {
    fn empty(site: ModSite, place: Place) -> Self {
        Self {
            subs: Vec::new(),
            value: None,
            redeclare: None,
            final_: false,
            place,
            each: false,
            at: site.at,
            breaks: Vec::new(),
            under: None,
            replaced: None,
            text: site.text,
        }
    }

    pub fn sub(&self, name: Name) -> Option<&Arc<Mod<'a>>> {
        self.subs
            .iter()
            .find(|(sub, _)| *sub == name)
            .map(|(_, modifier)| modifier)
    }

    pub fn is_empty(&self) -> bool {
        self.subs.is_empty()
            && self.value.is_none()
            && self.redeclare.is_none()
            && self.breaks.is_empty()
    }

    /// Reads the modification of a declaration.
    pub fn of_declaration(
        modification: Option<&'a Modification>,
        site: ModSite,
        errors: &mut Vec<ModError>,
    ) -> Option<Arc<Self>> {
        let modification = modification?;
        let place = crate::tree::place_of(site.text, modification.span);
        let mut result = Self::empty(site, place);
        result.read(Some(modification), site, None, false, errors);
        (!result.is_empty()).then(|| Arc::new(result))
    }

    /// Reads a list of arguments, as of an `extends` clause.
    pub fn of_arguments(
        arguments: &'a [Argument],
        site: ModSite,
        errors: &mut Vec<ModError>,
    ) -> Option<Arc<Self>> {
        let first = arguments.first()?;
        let mut result = Self::empty(site, crate::tree::place_of(site.text, first.span));
        result.read_arguments(arguments, site, None, false, errors);
        (!result.is_empty()).then(|| Arc::new(result))
    }

    fn read(
        &mut self,
        modification: Option<&'a Modification>,
        site: ModSite,
        each: Option<u32>,
        final_: bool,
        errors: &mut Vec<ModError>,
    ) {
        self.final_ |= final_;
        let Some(modification) = modification else {
            return;
        };
        self.read_arguments(
            &modification.args,
            site,
            each.map(|depth| depth + 1),
            false,
            errors,
        );
        if let Some(binding) = &modification.binding {
            let (exp, span) = match binding {
                Binding::Expr(exp) => (Some(exp), exp.span),
                Binding::Break(span) => (None, *span),
            };
            self.value = Some(ModValue {
                exp,
                scope: site.scope,
                at: site.at,
                each,
                final_: self.final_,
                text: site.text,
                place: crate::tree::place_of(site.text, span),
            });
        }
    }

    fn read_arguments(
        &mut self,
        arguments: &'a [Argument],
        site: ModSite,
        each: Option<u32>,
        final_: bool,
        errors: &mut Vec<ModError>,
    ) {
        for argument in arguments {
            let place = crate::tree::place_of(site.text, argument.span);
            let each = if argument.each { Some(0) } else { each };
            let final_ = final_ || argument.final_;
            match &argument.kind {
                ArgumentKind::Modify {
                    target,
                    modification,
                    ..
                } => {
                    let mut sub = Self::empty(site, place);
                    sub.each = argument.each;
                    sub.read(modification.as_deref(), site, each, final_, errors);
                    self.insert(target, sub, site, String::new(), errors);
                }
                ArgumentKind::RedeclareComponent(clause) => {
                    let Some(decl) = CompDecl::from_modifier(clause, site.text) else {
                        continue;
                    };
                    let mut sub = Self::empty(site, crate::tree::place_of(site.text, decl.span));
                    sub.each = argument.each;
                    sub.final_ = final_ || clause.prefixes.final_;
                    sub.redeclare = Some(Redeclare {
                        kind: RedeclareKind::Component(decl),
                        scope: site.scope,
                        at: site.at,
                        redeclare: clause.prefixes.redeclare,
                        place: crate::tree::place_of(site.text, argument.span),
                    });
                    self.insert(&[decl.name], sub, site, String::new(), errors);
                }
                ArgumentKind::RedeclareClass(def) => {
                    let mut sub = Self::empty(site, crate::tree::place_of(site.text, def.span));
                    sub.final_ = final_ || def.prefixes.final_;
                    sub.redeclare = Some(Redeclare {
                        kind: RedeclareKind::Class {
                            def,
                            text: site.text,
                        },
                        scope: site.scope,
                        at: site.at,
                        redeclare: def.prefixes.redeclare,
                        place: crate::tree::place_of(site.text, argument.span),
                    });
                    self.insert(&[def.name], sub, site, String::new(), errors);
                }
                ArgumentKind::BreakComponent(name) => self.breaks.push(Break::Component(*name)),
                ArgumentKind::BreakConnect(a, b) => self.breaks.push(Break::Connect(a, b)),
                ArgumentKind::Error => {}
            }
        }
    }

    /// Adds `modifier` for the element `target` (a dotted path). Two modifiers of the same element are an
    /// error unless they concern different parts of it.
    fn insert(
        &mut self,
        target: &[Ident],
        modifier: Self,
        site: ModSite,
        prefix: String,
        errors: &mut Vec<ModError>,
    ) {
        let Some((first, rest)) = target.split_first() else {
            return;
        };
        let name = if prefix.is_empty() {
            first.name.to_string()
        } else {
            format!("{prefix}.{}", first.name)
        };
        let index = self.subs.iter().position(|(sub, _)| *sub == first.name);
        if rest.is_empty() {
            match index {
                None => self.subs.push((first.name, Arc::new(modifier))),
                Some(index) => {
                    let place = modifier.place;
                    let old = Arc::make_mut(&mut self.subs[index].1);
                    old.unite(&modifier, &name, place, errors);
                }
            }
        } else {
            let index = index.unwrap_or_else(|| {
                self.subs
                    .push((first.name, Arc::new(Self::empty(site, modifier.place))));
                self.subs.len() - 1
            });
            Arc::make_mut(&mut self.subs[index].1).insert(rest, modifier, site, name, errors);
        }
    }

    /// Both modify the same element in the same list of arguments.
    fn unite(&mut self, other: &Self, name: &str, place: Place, errors: &mut Vec<ModError>) {
        let has_value = |it: &Self| {
            it.value.is_some() || it.redeclare.as_ref().is_some_and(Redeclare::has_value)
        };
        let clash = has_value(self) && has_value(other)
            || self.redeclare.is_some() && other.redeclare.is_some()
            || self.is_empty() && other.is_empty();
        if clash {
            errors.push(ModError::Duplicate {
                name: name.to_owned(),
                first: self.place,
                second: place,
            });
            return;
        }
        self.value = self.value.or(other.value);
        self.redeclare = self.redeclare.or(other.redeclare);
        self.final_ |= other.final_;
        for (sub, modifier) in &other.subs {
            match self.subs.iter().position(|(own, _)| own == sub) {
                None => self.subs.push((*sub, modifier.clone())),
                Some(index) => {
                    let name = format!("{name}.{sub}");
                    Arc::make_mut(&mut self.subs[index].1).unite(
                        modifier,
                        &name,
                        modifier.place,
                        errors,
                    );
                }
            }
        }
    }
}

/// The modifier as if it had been written at the class `at` itself: no array above indexes its values.
pub(crate) fn applied_at<'a>(modifier: &Arc<Mod<'a>>, at: NodeId) -> Arc<Mod<'a>> {
    let mut result = (**modifier).clone();
    result.at = at;
    if let Some(value) = &mut result.value {
        value.at = at;
    }
    for (_, sub) in &mut result.subs {
        *sub = applied_at(sub, at);
    }
    Arc::new(result)
}

/// `outer` over `inner`. Linear in the size of the smaller of both where they overlap, nothing where only one is there.
pub(crate) fn merge<'a>(
    outer: Option<&Arc<Mod<'a>>>,
    inner: Option<&Arc<Mod<'a>>>,
    errors: &mut Vec<ModError>,
) -> Option<Arc<Mod<'a>>> {
    match (outer, inner) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (Some(outer), Some(inner)) => Some(Arc::new(merge_both(outer, inner, errors))),
    }
}

fn merge_both<'a>(outer: &Mod<'a>, inner: &Mod<'a>, errors: &mut Vec<ModError>) -> Mod<'a> {
    let mut merged = outer.clone();
    if outer.redeclare.is_some() && inner.redeclare.is_none() {
        let inner = Arc::new(inner.clone());
        merged.final_ |= inner.final_;
        merged.under = merge(outer.under.as_ref(), Some(&inner), errors);
        return merged;
    }
    if outer.value.is_none() {
        merged.value = inner.value;
    }
    if outer.redeclare.is_none() {
        merged.redeclare = inner.redeclare;
    } else {
        merged.replaced = outer.replaced.or(inner.redeclare);
    }
    merged.final_ |= inner.final_;
    merged.breaks.extend(inner.breaks.iter().copied());
    for (name, sub) in &inner.subs {
        match merged.subs.iter().position(|(own, _)| own == name) {
            None => merged.subs.push((*name, sub.clone())),
            Some(index) => {
                let over = merged.subs[index].1.clone();
                if sub.final_ && sub.place != over.place && over.at != sub.at {
                    errors.push(ModError::Final {
                        name: *name,
                        outer: over.place,
                        inner: sub.place,
                    });
                }
                if let (Some(again), Some(first)) = (&over.redeclare, &sub.redeclare)
                    && again.redeclare
                    && !first.replaceable()
                    && again.place != first.place
                {
                    errors.push(ModError::Redeclared {
                        name: *name,
                        outer: again.place,
                        inner: first.place,
                    });
                }
                merged.subs[index].1 = Arc::new(merge_both(&over, sub, errors));
            }
        }
    }
    merged
}
