//! Name lookup on instances (Modelica 3.6 §5.3): nested, imported, inherited, global and encapsulated.

use crate::cx::{Cx, ROOT};
use crate::node::{ClassElem, Def, Elem, ElemId, ElemKind, NodeId, State};
use crate::tree::{Place, place_of};
use crate::ty::{EnumType, Type};
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_hir::{
    ClassData, ClassId, ClassSpan, Member, class_rules, imported_names, in_library, member_of,
    named_imports, root_class, unqualified_imports,
};
use modeshift_syntax::ast::{ClassKind, Path};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// The element `name` of a class, its own or inherited; never of a scope around it.
    pub fn lookup_member(&mut self, node: NodeId, name: Name) -> Option<ElemId> {
        self.expand(node);
        if let Some(&found) = self.node(node).members.get(&name) {
            return found;
        }
        let found = self
            .own_class(node, name)
            .or_else(|| self.inherited(node, name));
        if found.is_some() || self.node(node).state == State::Expanded {
            self.node_mut(node).members.insert(name, found);
        }
        found
    }

    /// A class that the node declares itself. Components are entered when the node is expanded, classes
    /// only here, because libraries have thousands of which a model uses a few.
    fn own_class(&mut self, node: NodeId, name: Name) -> Option<ElemId> {
        match self.node(node).def {
            Def::Root => self.root_member(name),
            Def::Class(id, data) => match member_of(self.db, id, data, name)? {
                Member::Class(id) => Some(self.class_element(node, id, name)),
                Member::Component(_) => None,
            },
            Def::Short { .. } | Def::Builtin(_) => None,
        }
    }

    fn root_member(&mut self, name: Name) -> Option<ElemId> {
        if let Some(&builtin) = self.builtins.get(&name) {
            return Some(builtin);
        }
        let id = root_class(self.db, name)?;
        Some(self.static_element(ROOT, id, name))
    }

    /// The element for class `id` without any modifier.
    pub fn static_element(&mut self, node: NodeId, id: ClassId, name: Name) -> ElemId {
        self.report_rules(id);
        let data = self.class_data(id);
        let class = ClassElem {
            def: Def::Class(id, data),
            scope: node,
            modifier: None,
            constraining: None,
            original: None,
        };
        self.add_elem(Elem {
            name,
            node,
            protected: data.protected,
            kind: ElemKind::Class(class),
            class_node: None,
        })
    }

    /// What is wrong with the text of a class by itself. Said of each class that the model uses, also of those that
    /// come from libraries, whose files nobody checks.
    pub(crate) fn report_rules(&mut self, id: ClassId) {
        let quiet = std::mem::take(&mut self.quiet);
        for diagnostic in class_rules(self.db, id) {
            self.report(diagnostic.clone());
        }
        self.quiet = quiet;
    }

    pub(crate) fn inherited(&mut self, node: NodeId, name: Name) -> Option<ElemId> {
        for index in 0..self.node(node).bases.len() {
            let base = self.node(node).bases[index];
            if let Some(found) = self.lookup_member(base, name) {
                return Some(found);
            }
        }
        None
    }

    /// What a simple name means in the scope of a class.
    pub fn lookup_name(&mut self, scope: NodeId, name: Name) -> Option<ElemId> {
        self.lookup_name_with_scope(scope, name)
            .map(|(elem, _)| elem)
    }

    /// The same, with the scope in which it was found.
    pub fn lookup_name_with_scope(
        &mut self,
        scope: NodeId,
        name: Name,
    ) -> Option<(ElemId, NodeId)> {
        let mut at = scope;
        loop {
            if let Some(found) = self.lookup_member(at, name) {
                return Some((found, at));
            }
            if let Some(found) = self.lookup_import(at, name) {
                return Some((found, at));
            }
            if at == ROOT {
                return None;
            }
            if self.node(at).def.encapsulated() {
                return self.builtins.get(&name).map(|&elem| (elem, ROOT));
            }
            at = self.node(at).parent;
        }
    }

    pub(crate) fn lookup_import(&mut self, node: NodeId, name: Name) -> Option<ElemId> {
        let Def::Class(id, data) = self.node(node).def else {
            return None;
        };
        data.imports().next()?;
        if let Some(&found) = self.imports.get(&(node, name)) {
            return found;
        }
        // A name that is imported by way of itself is not there.
        self.imports.insert((node, name), None);
        let mut named = named_imports(data, name);
        let found = match named.next() {
            Some(import) => {
                if let Some(again) = named.find(|other| other.path != import.path) {
                    let diagnostic = Diagnostic::new(
                        Code::MS2039,
                        format!("`{name}` is imported twice, with different meanings"),
                    )
                    .label(place_of(id, again.span), "imported again here")
                    .label(place_of(id, import.span), "first imported here")
                    .note(format!(
                        "Give one of them another name: `import OtherName = {};`",
                        crate::resolve::join(&again.path)
                    ));
                    self.report(diagnostic);
                }
                let found = self.lookup_global(&import.path);
                if found.is_none() && self.literal_of_path(&import.path).is_none() {
                    self.unknown_import(&import.path, name, place_of(id, import.span));
                }
                if let Some(elem) = found
                    && self.elem(elem).protected
                {
                    self.protected_access(elem, name, place_of(id, import.span));
                }
                if found.is_some() {
                    self.check_imported_from(&import.path, place_of(id, import.span));
                }
                found
            }
            None => self.unqualified_import(id, data, name),
        };
        self.imports.insert((node, name), found);
        found
    }

    /// Proposes a class with the last name of the path, or with the name that the import gives it.
    fn unknown_import(&mut self, path: &[Name], name: Name, place: Place) {
        let mut diagnostic = Diagnostic::new(
            Code::MS2039,
            format!("there is no `{}` to import", crate::resolve::join(path)),
        )
        .label(place, "imported here")
        .note(modeshift_hir::not_found_note(self.db, path));
        let own = path.last().copied().unwrap_or(name);
        let mut elsewhere = modeshift_hir::classes_named(self.db, own);
        if elsewhere.is_empty() && own != name {
            elsewhere = modeshift_hir::classes_named(self.db, name);
        }
        // The least nested one comes first and is meant, unless there is another as near.
        let depth = |path: &String| path.matches('.').count();
        let near = elsewhere
            .iter()
            .filter(|it| depth(it) == depth(&elsewhere[0]));
        if let (1, Some(only)) = (near.count(), elsewhere.first()) {
            let text = match only.rsplit('.').next() == Some(name.as_str()) {
                true => format!("import {only}"),
                false => format!("import {name} = {only}"),
            };
            diagnostic = diagnostic.fix(
                format!("write `{text}`"),
                vec![modeshift_diag::Edit { at: place, text }],
            );
        }
        self.report(diagnostic);
    }

    /// Elements are imported from packages (Modelica 3.6 §13.2.1).
    fn check_imported_from(&mut self, path: &[Name], place: Place) {
        let Some((_, from)) = path.split_last() else {
            return;
        };
        let Some(elem) = self.lookup_global(from) else {
            return;
        };
        let Some(node) = self.class_node(elem) else {
            return;
        };
        let kind = self.node(node).def.kind();
        if matches!(
            kind,
            ClassKind::Model | ClassKind::Block | ClassKind::Connector
        ) {
            let message = format!(
                "`{}` is a {}; elements can be imported from packages only",
                crate::resolve::join(from),
                kind.as_str()
            );
            self.error(Code::MS2039, place, message, "imported here");
        }
    }

    /// Imports that nobody reads and that name nothing are reported as well, but as warnings: the model does not need them.
    pub(crate) fn check_unused_imports(&mut self) {
        let mut seen: FxHashSet<ClassId> = FxHashSet::default();
        for node in self.node_ids() {
            let Def::Class(id, data) = self.node(node).def else {
                continue;
            };
            if data.imports().next().is_none()
                || !seen.insert(id)
                || in_library(self.db, ClassSpan::of_name(id).to_place())
            {
                continue;
            }
            for name in imported_names(data) {
                if self.imports.contains_key(&(node, name)) {
                    continue;
                }
                let before = self.out.diagnostics.len();
                self.lookup_import(node, name);
                let mut found: Vec<_> = self.out.diagnostics.drain(before..).collect();
                found
                    .iter_mut()
                    .for_each(|it| it.severity = Severity::Warning);
                self.out.diagnostics.extend(found);
            }
        }
    }

    /// The literal that a path from the global scope names.
    fn literal_of_path(&mut self, path: &[Name]) -> Option<(Arc<EnumType>, u32)> {
        let (literal, of) = path.split_last()?;
        let elem = self.lookup_global(of)?;
        let alias = self.alias(elem)?;
        let Type::Enumeration(ty) = &alias.ty else {
            return None;
        };
        let position = ty.literals.iter().position(|it| it == literal)?;
        Some((ty.clone(), position as u32 + 1))
    }

    /// A literal of an enumeration that is imported under a name, or with all others.
    pub(crate) fn imported_literal(
        &mut self,
        scope: NodeId,
        name: Name,
    ) -> Option<(Arc<EnumType>, u32)> {
        let mut at = scope;
        loop {
            if let Def::Class(_, data) = self.node(at).def {
                let named = named_imports(data, name).map(|import| import.path.clone());
                let whole = unqualified_imports(data).map(|import| {
                    let mut path = import.path.clone();
                    path.push(name);
                    path
                });
                let paths: Vec<_> = named.chain(whole).collect();
                for path in paths {
                    if let Some(found) = self.literal_of_path(&path) {
                        return Some(found);
                    }
                }
            }
            if at == ROOT || self.node(at).def.encapsulated() {
                return None;
            }
            at = self.node(at).parent;
        }
    }

    /// The element `name` of a package imported with `.*`. Which one is meant must be clear.
    fn unqualified_import(&mut self, id: ClassId, data: &ClassData, name: Name) -> Option<ElemId> {
        let mut first: Option<(ElemId, modeshift_hir::Imported)> = None;
        for import in unqualified_imports(data) {
            let Some(found) = self.public_member_of(&import.path, name) else {
                continue;
            };
            let Some((other, earlier)) = &first else {
                let mut path = import.path.clone();
                path.push(name);
                self.check_imported_from(&path, place_of(id, import.span));
                first = Some((found, import));
                continue;
            };
            if self.elem(*other).place() != self.elem(found).place() {
                let diagnostic = Diagnostic::new(
                    Code::MS2039,
                    format!("`{name}` is in several packages that are imported as a whole"),
                )
                .label(place_of(id, import.span), "found here")
                .label(place_of(id, earlier.span), "and here")
                .note("Import the one that is meant by its full name.");
                self.report(diagnostic);
            }
        }
        first.map(|(found, _)| found)
    }

    fn public_member_of(&mut self, package: &[Name], name: Name) -> Option<ElemId> {
        let package = self.lookup_global(package)?;
        let node = self.class_node(package)?;
        let found = self.lookup_member(node, name)?;
        (!self.elem(found).protected).then_some(found)
    }

    /// Follows a path of names from the global scope.
    pub fn lookup_global(&mut self, path: &[Name]) -> Option<ElemId> {
        let (&first, rest) = path.split_first()?;
        let mut found = self.lookup_member(ROOT, first)?;
        for &name in rest {
            let node = self.inside(found)?;
            found = self.lookup_member(node, name)?;
        }
        Some(found)
    }

    /// The node whose members are meant by `.member` behind an element.
    pub fn inside(&mut self, elem: ElemId) -> Option<NodeId> {
        if self.elem(elem).class().is_some() {
            return self.class_node(elem);
        }
        let id = self.component(elem)?;
        self.info(id).node
    }

    /// A class by the name written at `path`. What is missing is reported.
    pub fn lookup_class(&mut self, scope: NodeId, path: &Path, text: ClassId) -> Option<ElemId> {
        let (first, rest) = path.parts.split_first()?;
        let start = if path.global {
            self.lookup_member(ROOT, first.name)
        } else {
            self.lookup_name(scope, first.name)
        };
        let Some(mut found) = start else {
            self.unknown_class(scope, first, text);
            return None;
        };
        for (index, part) in rest.iter().enumerate() {
            if self.elem(found).component().is_some() {
                let name = self.elem(found).name;
                let message =
                    format!("`{name}` is a component: a class cannot be named through it");
                self.error(
                    Code::MS2003,
                    place_of(text, path.span),
                    message,
                    "a class is needed here",
                );
                return None;
            }
            let node = self.inside(found)?;
            let Some(next) = self.lookup_member(node, part.name) else {
                self.unknown_on_path(node, &rest[index..], text);
                return None;
            };
            if self.elem(found).class().is_some() {
                self.check_looked_into(found, node, next, place_of(text, part.span));
            }
            if self.elem(next).protected && self.elem(found).class().is_some() {
                self.protected_access(next, part.name, place_of(text, part.span));
            }
            found = next;
        }
        if self.elem(found).class().is_none() {
            let place = place_of(text, path.span);
            let name = self.elem(found).name;
            let mut diagnostic = Diagnostic::new(
                Code::MS2003,
                format!("`{name}` is a component, but a class is needed here"),
            )
            .label(place, "used as a class");
            if let Some(declared) = self.elem(found).place() {
                diagnostic = diagnostic.label(declared, "declared here");
            }
            self.report(diagnostic);
            return None;
        }
        Some(self.inner_class(found))
    }

    /// An `outer` class means the `inner` one around the instance.
    pub(crate) fn inner_class(&mut self, elem: ElemId) -> ElemId {
        let is = |cx: &Self, elem: ElemId, inner: bool| {
            cx.elem(elem).class().is_some_and(|class| {
                let own = class.def.prefixes();
                let old = class
                    .original
                    .as_ref()
                    .map(|it| it.def.prefixes())
                    .unwrap_or_default();
                if inner {
                    own.inner || old.inner
                } else {
                    own.outer || old.outer
                }
            })
        };
        if !is(self, elem, false) {
            return elem;
        }
        let name = self.elem(elem).name;
        let mut home = self.elem(elem).node;
        while let Some(owner) = self.node(home).owner {
            home = self.elem(owner).node;
            let scope = self.derived_most(home);
            let Some(found) = self.lookup_member(scope, name) else {
                continue;
            };
            if found != elem && is(self, found, true) {
                return found;
            }
            if let Some(comp) = self.elem(found).component()
                && comp.decl.prefixes.inner
            {
                let place = comp.decl.place();
                let mut diagnostic = Diagnostic::new(
                    Code::MS2016,
                    format!("the inner `{name}` is a component, but the outer one is a class"),
                )
                .with_severity(Severity::Error)
                .label(place, "declared as a component");
                if let Some(outer) = self.elem(elem).place() {
                    diagnostic = diagnostic.label(outer, "declared as a class");
                }
                self.report(diagnostic);
                return elem;
            }
        }
        elem
    }

    pub fn protected_access(&mut self, elem: ElemId, name: Name, place: Place) {
        let mut diagnostic = Diagnostic::new(
            Code::MS2009,
            format!("`{name}` is protected and cannot be used from outside its class"),
        )
        .label(place, "not accessible here");
        if let Some(declared) = self.elem(elem).place() {
            diagnostic = diagnostic.label(declared, "declared in a protected section");
        }
        self.report(diagnostic.note(
            "if the class is yours and others may read it, declare it before `protected`, or in a section `public`",
        ));
    }

    /// How a scope is called in messages.
    pub fn scope_name(&self, node: NodeId) -> String {
        let path = &self.node(node).path;
        if path.is_empty() {
            "the global scope".to_owned()
        } else {
            path.to_string()
        }
    }
}
