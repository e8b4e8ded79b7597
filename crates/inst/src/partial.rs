//! Calls of partial functions. Nearly always the package that they are in was to be replaced where a component is declared
//! and was not: that is one mistake, at the component, however many functions the component calls.

use crate::cx::{Cx, FunctionInfo};
use crate::node::{ElemId, NodeId};
use crate::tree::Place;
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::ClassKind;

impl Cx<'_, '_> {
    /// Reports a call of a partial function at `place`.
    pub(crate) fn partial_call(&mut self, info: &FunctionInfo, place: Place) {
        if let Some((component, package)) = self.partial_package(info.node) {
            return self.package_not_replaced(component, package, place);
        }
        if let Some((package, declared)) = self.own_partial_package(info.node) {
            let message = format!("the package `{package}` is partial and has to be replaced");
            let known = |it: &Diagnostic<Place>| it.message == message;
            if self.quiet == 0 && self.out.diagnostics.iter().any(known) {
                return;
            }
            self.report(
                Diagnostic::new(Code::MS2014, message)
                    .label(declared, "choose a package that is complete here")
                    .label(place, "calls a function that is only declared there")
                    .note(
                        "a partial package says which functions there are, not what they compute",
                    ),
            );
            return;
        }
        let message = format!("`{}` is partial and cannot be called", info.name);
        self.error(Code::MS2014, place, message, "called here");
    }

    /// The outermost component that has the partial package in which a function is, and the name of the package in it.
    fn partial_package(&mut self, function: NodeId) -> Option<(ElemId, Name)> {
        // The path follows the instances: `M.pipe.flow.Medium.density`.
        let path = self.node(function).path.clone();
        let root = format!("{}.", self.node(self.root).path);
        let inside = path.strip_prefix(&root)?;
        let names: Vec<Name> = inside.split('.').map(Name::new).collect();
        let [components @ .., package, _] = &names[..] else {
            return None;
        };
        let mut node = self.root;
        for name in components {
            let elem = self.lookup_member(node, *name)?;
            self.elem(elem).component()?;
            let id = self.component(elem)?;
            node = self.info(id).node?;
            if let Some(member) = self.lookup_member(node, *package)
                && self.elem(member).class().is_some()
                && let Some(class) = self.class_node(member)
                && self.node(class).def.kind() == ClassKind::Package
                && self.node(class).def.partial()
            {
                return Some((elem, *package));
            }
        }
        None
    }

    /// The partial package of the class itself in which a function is, and where it is declared.
    fn own_partial_package(&mut self, function: NodeId) -> Option<(Name, Place)> {
        let path = self.node(function).path.clone();
        let root = format!("{}.", self.node(self.root).path);
        let (package, _) = path.strip_prefix(&root)?.split_once('.')?;
        let package = Name::new(package);
        let member = self.lookup_member(self.root, package)?;
        self.elem(member).class()?;
        let class = self.class_node(member)?;
        let def = self.node(class).def;
        let place = self.elem(member).place()?;
        (def.kind() == ClassKind::Package && def.partial()).then_some((package, place))
    }

    /// Reports what could not be evaluated because it is only declared. Where a partial package was not replaced, that and
    /// what is wrong inside of partial packages follows from it.
    pub(crate) fn report_lacking(&mut self) {
        let lacking = std::mem::take(&mut self.lacking);
        if !self.unreplaced {
            return lacking.into_iter().for_each(|it| self.report(it));
        }
        let follows = |it: &Diagnostic<Place>| {
            matches!(it.code, Code::MS2014 | Code::MS2029)
                && it
                    .labels
                    .first()
                    .is_some_and(|label| self.in_partial_package(label.at))
        };
        let kept: Vec<bool> = self.out.diagnostics.iter().map(|it| !follows(it)).collect();
        let mut kept = kept.into_iter();
        self.out.diagnostics.retain(|_| kept.next().unwrap_or(true));
    }

    /// Whether a place is in the text of a partial package.
    fn in_partial_package(&self, place: Place) -> bool {
        let class = modeshift_hir::ClassSpan::from_place(place).map(|it| it.class);
        let path = class.map(|it| modeshift_hir::full_name(self.db, it));
        path.is_some_and(|path| {
            (1..=path.len()).rev().any(|length| {
                let class = modeshift_hir::class_by_path(self.db, &path[..length]);
                class.is_some_and(|it| {
                    let data = modeshift_hir::class(self.db, it);
                    data.partial && data.kind == ClassKind::Package
                })
            })
        })
    }

    fn package_not_replaced(&mut self, component: ElemId, package: Name, call: Place) {
        let Some(declared) = self.elem(component).place() else {
            return;
        };
        let name = self.elem(component).name;
        let message =
            format!("the package `{package}` of `{name}` is partial and has to be replaced");
        let known = |it: &Diagnostic<Place>| {
            it.message == message && it.labels.first().is_some_and(|label| label.at == declared)
        };
        if self.quiet == 0 {
            self.unreplaced = true;
            if self.out.diagnostics.iter().any(known) {
                return;
            }
        }
        let text = "`redeclare package";
        self.report(
            Diagnostic::new(Code::MS2014, message)
                .label(
                    declared,
                    format!("give it a package: {text} {package} = …`"),
                )
                .label(call, "calls a function that is only declared there")
                .note("a partial package says which functions there are, not what they compute"),
        );
    }
}
