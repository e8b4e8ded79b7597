//! Connect equations: which connectors they join.

use super::Env;
use super::cref::Meaning;
use crate::cx::Cx;
use crate::exp::{Cref, CrefPart, Exp};
use crate::tree::{ComponentId, Equation, EquationKind, LeftOpen, Place};
use crate::ty::{Dim, Type};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_syntax::ast::{ClassKind, ComponentRef, ExprKind, RefPart, Subscript};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// A connect equation; through arrays that are split, one for each pair of elements.
    pub(crate) fn type_connects(
        &mut self,
        from: &ComponentRef,
        to: &ComponentRef,
        place: Place,
        env: &mut Env,
        into: &mut Vec<Equation>,
    ) {
        let (a, b) = (
            self.split_connectors(from, env),
            self.split_connectors(to, env),
        );
        let pairs = match (a, b) {
            (None, None) => vec![(from.clone(), to.clone())],
            (Some(a), Some(b)) => self.paired(a, b, place),
            (Some(a), None) => {
                let b = self.spread(to, a.len(), env);
                self.paired(a, b, place)
            }
            (None, Some(b)) => {
                let a = self.spread(from, b.len(), env);
                self.paired(a, b, place)
            }
        };
        for (from, to) in pairs {
            let kind = self.type_connect(&from, &to, place, env);
            into.extend(kind.map(|kind| Equation {
                kind,
                place,
                comment: None,
            }));
        }
    }

    /// As many elements of an array of connectors as are needed.
    fn spread(
        &mut self,
        reference: &ComponentRef,
        count: usize,
        env: &mut Env,
    ) -> Vec<ComponentRef> {
        let before = std::mem::replace(&mut env.connect, true);
        let meaning = self.meaning(reference, env);
        env.connect = before;
        match meaning {
            Meaning::Components(path) if path.len() == reference.parts.len() => {
                self.spread_connectors(reference, &path, env)
            }
            // An element that is added to a bus is as large as what is connected.
            Meaning::Components(_) if count == 1 => vec![reference.clone()],
            _ => Vec::new(),
        }
    }

    fn paired(
        &mut self,
        a: Vec<ComponentRef>,
        b: Vec<ComponentRef>,
        place: Place,
    ) -> Vec<(ComponentRef, ComponentRef)> {
        if a.len() != b.len() && !a.is_empty() && !b.is_empty() {
            let message = format!("{} connectors cannot be connected to {}", a.len(), b.len());
            self.error(Code::MS2043, place, message, "different sizes");
            return Vec::new();
        }
        a.into_iter().zip(b).collect()
    }

    pub(crate) fn type_connect(
        &mut self,
        from: &ComponentRef,
        to: &ComponentRef,
        place: Place,
        env: &mut Env,
    ) -> Option<EquationKind> {
        if env.when {
            self.error(
                Code::MS2043,
                place,
                "`connect` is not allowed in a `when`",
                "connections do not change during the simulation",
            );
            return None;
        }
        if env.dynamic {
            let diagnostic = Diagnostic::new(
                Code::MS2043,
                "this `connect` depends on a condition that changes during the simulation",
            )
            .label(
                place,
                "inside an `if` that is not decided before the simulation",
            )
            .note(
                "Connections are fixed: the condition around them must be a parameter expression.",
            );
            self.report(diagnostic);
            return None;
        }
        if env.initial {
            self.error(
                Code::MS2043,
                place,
                "`connect` is not allowed in an initial equation section",
                "not an initial equation",
            );
            return None;
        }
        if self.is_broken_connect(from, to, env.scope) {
            return None;
        }
        let before = std::mem::replace(&mut env.connect, true);
        // A connection to what does not exist vanishes before anything else is asked of it.
        let (a, b) = (self.meaning(from, env), self.meaning(to, env));
        let (a, b) = match (a, b) {
            (Meaning::Absent, Meaning::Components(path)) => {
                self.note_left_open(from, &path, place, env);
                (None, None)
            }
            (Meaning::Components(path), Meaning::Absent) => {
                self.note_left_open(to, &path, place, env);
                (None, None)
            }
            (Meaning::Absent, _) | (_, Meaning::Absent) => (None, None),
            (a, b) => (self.connector(from, a, env), self.connector(to, b, env)),
        };
        env.connect = before;
        let (from_place, to_place) = (env.place(from.span), env.place(to.span));
        let (from, to) = match (a?, b?) {
            (Side::Known(a), Side::Known(b)) => (a, b),
            (Side::Known(a), Side::Missing(path, name)) => {
                let b = self.add_to_expandable(&path, name, &a, env)?;
                (a, b)
            }
            (Side::Missing(path, name), Side::Known(b)) => {
                let a = self.add_to_expandable(&path, name, &b, env)?;
                (a, b)
            }
            (Side::Missing(..), Side::Missing(..)) => {
                let diagnostic =
                    Diagnostic::new(Code::MS2043, "neither side of this `connect` is declared")
                        .label(from_place, "not declared in the expandable connector")
                        .label(to_place, "not declared in the expandable connector");
                self.report(diagnostic);
                return None;
            }
        };
        Some(EquationKind::Connect {
            from,
            to,
            from_place,
            to_place,
        })
    }

    /// Keeps why a connector is open although a `connect` names it.
    fn note_left_open(
        &mut self,
        absent: &ComponentRef,
        path: &[(ComponentId, &RefPart)],
        connect: Place,
        env: &mut Env,
    ) {
        let Some((id, _)) = path.last() else { return };
        let mut declared = None;
        let mut scope = env.scope;
        for part in &absent.parts {
            let Some(elem) = self.lookup_name(scope, part.name) else {
                break;
            };
            let Some(found) = self.component(elem) else {
                break;
            };
            if self.is_absent(found) {
                let condition = self.elem(elem).component().and_then(|it| it.condition);
                declared = condition.map(|it| {
                    let text = Arc::from(crate::print::expr(it.exp));
                    (self.out.components[found].place, text)
                });
                break;
            }
            match self.info(found).node {
                Some(node) => scope = node,
                None => break,
            }
        }
        self.out.components[*id].left_open = Some(Arc::new(LeftOpen {
            connect,
            absent: crate::print::reference(absent).into(),
            declared,
            own: absent.parts.len() == 1,
        }));
    }

    /// Whether selective extension removed the connection.
    pub(crate) fn is_broken_connect(
        &self,
        from: &ComponentRef,
        to: &ComponentRef,
        scope: crate::node::NodeId,
    ) -> bool {
        let Some(modifier) = &self.node(scope).modifier else {
            return false;
        };
        modifier.breaks.iter().any(|it| match it {
            crate::modifier::Break::Connect(a, b) => {
                let same = |a: &ComponentRef, b: &ComponentRef| {
                    crate::print::reference(a) == crate::print::reference(b)
                };
                same(a, from) && same(b, to) || same(a, to) && same(b, from)
            }
            crate::modifier::Break::Component(_) => false,
        })
    }

    /// One side of a connect equation. `None`: said already, or part of an absent component.
    fn connector<'r>(
        &mut self,
        reference: &'r ComponentRef,
        meaning: Meaning<'r>,
        env: &mut Env,
    ) -> Option<Side<'r>> {
        let place = env.place(reference.span);
        let path = match meaning {
            Meaning::Components(path) => path,
            Meaning::Absent | Meaning::Error => return None,
            Meaning::Value(value) => {
                if !value.is_error() {
                    self.error(
                        Code::MS2044,
                        place,
                        "only connectors can be connected",
                        "not a connector",
                    );
                }
                return None;
            }
            Meaning::Class(elem) => {
                let name = self.elem(elem).name;
                self.error(
                    Code::MS2044,
                    place,
                    format!("`{name}` is a class; only connectors can be connected"),
                    "not a connector",
                );
                return None;
            }
        };
        if path.len() < reference.parts.len() {
            let missing = &reference.parts[path.len()];
            if path.len() + 1 < reference.parts.len() {
                let what = "connections to parts of what an expandable connector does not declare";
                self.unsupported(what, place);
                return None;
            }
            return Some(Side::Missing(path, missing));
        }
        for (id, part) in &path {
            if self.out.components[*id].added {
                self.grow_added(*id, &part.subscripts, env);
            }
        }
        let typed = self.type_cref(&path, reference.span, env);
        let Exp::Ref(cref) = typed.exp else {
            if !typed.is_error() {
                self.error(
                    Code::MS2044,
                    place,
                    "only connectors can be connected",
                    "not a connector",
                );
            }
            return None;
        };
        if !self.is_connector_path(&path) {
            let name = Self::print_path(&path);
            let (last, _) = path.last()?;
            let diagnostic = Diagnostic::new(
                Code::MS2044,
                format!("`{name}` is not a connector and cannot be connected"),
            )
            .label(place, "not a connector")
            .label(self.out.components[*last].place, "declared here");
            let connectors = self.connectors_of(*last);
            let diagnostic = match connectors.is_empty() {
                true => diagnostic,
                false => {
                    let names = connectors.iter().map(|it| format!("`{name}.{it}`"));
                    let names: Vec<String> = names.collect();
                    match (&connectors[..], &names[..]) {
                        ([only], [full]) => {
                            let end = place.span.end;
                            let mut at = place;
                            at.span = modeshift_base::Span::new(end, end);
                            let text = format!(".{only}");
                            diagnostic
                                .note(format!("its connector is {full}"))
                                .fix(format!("write {full}"), vec![Edit { at, text }])
                        }
                        _ => diagnostic.note(format!("its connectors are {}", names.join(", "))),
                    }
                }
            };
            self.report(diagnostic);
            return None;
        }
        self.check_connector_form(&path, place);
        // Which connectors are joined is structure: parameters in the subscripts decide it.
        for part in &cref.parts {
            for subscript in &part.subscripts {
                if let crate::exp::Subscript::Index(exp) | crate::exp::Subscript::Slice(exp) =
                    subscript
                {
                    self.mark_structural(exp);
                }
            }
        }
        Some(Side::Known(cref))
    }

    /// The names of the connectors that a component has, at most eight.
    pub(crate) fn connectors_of(&self, id: ComponentId) -> Vec<Name> {
        let parts = self.out.components.iter();
        let own = parts.filter(|part| {
            part.parent == Some(id)
                && !part.protected
                && !part.absent
                && matches!(
                    part.kind,
                    ClassKind::Connector | ClassKind::ExpandableConnector
                )
        });
        own.take(8).map(|part| part.name).collect()
    }

    /// A connector is named `c1.c2.….cn`, all of them connectors, or `m.c1.….cn`: the inside of a component is its own.
    fn check_connector_form(&mut self, path: &[(ComponentId, &RefPart)], place: Place) {
        let deep = path.iter().enumerate().skip(1).find(|(index, (id, _))| {
            index + 1 < path.len()
                && matches!(
                    self.out.components[*id].kind,
                    ClassKind::Model | ClassKind::Block | ClassKind::Class
                )
        });
        let Some((_, (id, part))) = deep else { return };
        let diagnostic = Diagnostic::new(
            Code::MS2044,
            format!(
                "`{}` is a connector inside the component `{}` of another component",
                Self::print_path(path),
                part.name
            ),
        )
        .label(place, "cannot be connected from here")
        .label(self.out.components[*id].place, "not a connector")
        .note("Connect it in the class that has the component, and give that class a connector.");
        self.report(diagnostic);
    }

    /// An array that connections add to an expandable connector is as large as their subscripts.
    fn grow_added(&mut self, id: ComponentId, subscripts: &[Subscript], env: &Env) {
        for (index, subscript) in subscripts.iter().enumerate() {
            let Subscript::Expr(exp) = subscript else {
                continue;
            };
            let position = match &exp.kind {
                ExprKind::Int(position) => Some(*position),
                ExprKind::Ref(reference) => match reference.parts.as_slice() {
                    [only] => env
                        .iterators
                        .iter()
                        .rev()
                        .find(|iter| iter.name == only.name)
                        .and_then(|iter| iter.max),
                    _ => None,
                },
                _ => None,
            };
            let dims = &mut self.out.components[id].dims;
            if let (Some(position), Some(Dim::Known(size))) = (position, dims.get_mut(index)) {
                *size = (*size).max(position);
            }
        }
    }

    /// A connector, or a part of one.
    pub(crate) fn is_connector_path(&self, path: &[(ComponentId, &RefPart)]) -> bool {
        let is_connector = |id: &ComponentId| {
            matches!(
                self.out.components[*id].kind,
                ClassKind::Connector | ClassKind::ExpandableConnector
            )
        };
        let Some((last, _)) = path.last() else {
            return false;
        };
        is_connector(last) || path.iter().any(|(id, _)| is_connector(id)) || {
            // Part of a connector inside which the class of the reference stands.
            let mut at = self.out.components[path[0].0].parent;
            let mut found = false;
            while let Some(parent) = at {
                found |= is_connector(&parent);
                at = self.out.components[parent].parent;
            }
            found
        }
    }

    /// A `connect` adds an element to an expandable connector, of the type of the other side.
    pub(crate) fn add_to_expandable(
        &mut self,
        path: &[(ComponentId, &RefPart)],
        name: &RefPart,
        other: &Cref,
        env: &mut Env,
    ) -> Option<Cref> {
        let (owner, _) = *path.last()?;
        let other_id = other.component()?;
        let span = path.first().map_or(name.span, |(_, part)| part.span);
        let typed = self.type_cref(path, span, env);
        let Exp::Ref(mut cref) = typed.exp else {
            return None;
        };
        let size = other.ty.dims().to_vec();
        let id = self.added_component(owner, other_id, size, name, env.place(name.span))?;
        self.grow_added(id, &name.subscripts, env);
        let dims = self.out.components[id].dims.clone();
        let mut left = typed.ty.dims().to_vec();
        let subscripts = if name.subscripts.is_empty() {
            left.extend(dims);
            Vec::new()
        } else {
            let base = Exp::Ref(cref.clone());
            let (subscripts, rest, _) =
                self.type_subscripts(&name.subscripts, &dims, &base, env)?;
            left.extend(rest);
            subscripts
        };
        cref.parts.push(CrefPart {
            component: id,
            subscripts,
        });
        cref.ty = Type::array(self.out.components[id].ty.clone(), left);
        Some(cref)
    }
}

/// A side of a connect equation.
enum Side<'r> {
    Known(Cref),
    /// An element that an expandable connector does not declare.
    Missing(Vec<(ComponentId, &'r RefPart)>, &'r RefPart),
}
