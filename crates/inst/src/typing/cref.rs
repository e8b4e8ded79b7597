//! References: which component, constant, iterator or literal a name means, and of which type it is.

use super::{Env, Typed};
use crate::cx::Cx;
use crate::exp::{Cref, CrefPart, Exp};
use crate::node::{ElemId, NodeId};
use crate::tree::ComponentId;
use crate::ty::{Dim, Type, Variability};
use crate::unknown::ident_of;
use modeshift_base::{Name, Span};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_syntax::ast::{ClassKind, ComponentRef, Ident, RefPart};
use std::sync::Arc;

/// What a reference turned out to mean, before subscripts are looked at.
pub(crate) enum Meaning<'r> {
    Value(Typed),
    /// Components on the path, each with the part that names it.
    Components(Vec<(ComponentId, &'r RefPart)>),
    Class(ElemId),
    /// Part of a component whose condition is false.
    Absent,
    /// Said already.
    Error,
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_ref(&mut self, reference: &ComponentRef, env: &mut Env) -> Typed {
        if let Some(typed) = self.type_split_ref(reference, env) {
            return typed;
        }
        match self.meaning(reference, env) {
            Meaning::Value(value) => value,
            Meaning::Components(path) => self.type_cref(&path, reference.span, env),
            Meaning::Class(elem) => self.class_as_value(elem, reference, env),
            Meaning::Absent | Meaning::Error => Typed::error(),
        }
    }

    pub(crate) fn meaning<'r>(
        &mut self,
        reference: &'r ComponentRef,
        env: &mut Env,
    ) -> Meaning<'r> {
        let Some((first, rest)) = reference.parts.split_first() else {
            return Meaning::Error;
        };
        if !reference.global {
            if let Some(iter) = env
                .iterators
                .iter()
                .rev()
                .find(|iter| iter.name == first.name)
            {
                let base = match &iter.value {
                    Some(value) => Typed::constant(value.clone(), iter.ty.clone()),
                    None => Typed::new(Exp::Iterator(iter.name), iter.ty.clone(), iter.var),
                };
                return Meaning::Value(self.fields_of_iterator(base, reference, env));
            }
            if first.name == self.names.time
                && rest.is_empty()
                && self.lookup_own(env.scope, first.name).is_none()
            {
                self.not_in_function("time", env.place(first.span), env);
                self.check_time_place(env.place(first.span), env);
                return Meaning::Value(Typed::new(Exp::Time, Type::Real, Variability::Continuous));
            }
        }
        let found = if reference.global {
            self.lookup_member(crate::cx::ROOT, first.name)
                .map(|elem| (elem, env.scope))
        } else {
            self.lookup_name_with_scope(env.scope, first.name)
        };
        let Some((elem, scope)) = found else {
            if env.connect && self.is_broken(env.scope, first.name) {
                return Meaning::Absent;
            }
            if rest.is_empty()
                && first.subscripts.is_empty()
                && let Some((ty, index)) = self.imported_literal(env.scope, first.name)
            {
                let exp = Exp::Enum(ty.clone(), index);
                return Meaning::Value(Typed::constant(exp, Type::Enumeration(ty)));
            }
            self.unknown_name(first, env);
            return Meaning::Error;
        };
        self.follow(elem, scope, reference, env)
    }

    /// `time` is known to models and blocks (Modelica 3.6 §3.6.7); a record or a connector may be used elsewhere.
    fn check_time_place(&mut self, place: crate::tree::Place, env: &Env) {
        let kind = self.node(env.scope).def.kind();
        if matches!(
            kind,
            ClassKind::Record
                | ClassKind::OperatorRecord
                | ClassKind::Connector
                | ClassKind::ExpandableConnector
        ) {
            let kind = kind.as_str();
            let diagnostic =
                Diagnostic::new(Code::MS2015, format!("`time` cannot be used in a {kind}"))
                    .label(place, "`time` can only be used in models and blocks")
                    .note(format!(
                        "Give the value where the {kind} is used: `(x = time)`."
                    ));
            self.report(diagnostic);
        }
    }

    /// Whether selective extension removed the component.
    fn is_broken(&self, scope: NodeId, name: Name) -> bool {
        self.node(scope).modifier.as_ref().is_some_and(|modifier| {
            modifier.breaks.iter().any(
                |it| matches!(it, crate::modifier::Break::Component(ident) if ident.name == name),
            )
        })
    }

    fn lookup_own(&mut self, scope: NodeId, name: Name) -> Option<ElemId> {
        self.lookup_name(scope, name)
    }

    fn fields_of_iterator(
        &mut self,
        base: Typed,
        reference: &ComponentRef,
        env: &mut Env,
    ) -> Typed {
        let mut base = base;
        for (index, part) in reference.parts.iter().enumerate() {
            if index > 0 {
                base = self.type_field(
                    base,
                    &Ident {
                        name: part.name,
                        span: part.span,
                    },
                    env,
                );
            }
            if !part.subscripts.is_empty() {
                let place = env.place(part.span);
                base = self.type_index(base, &part.subscripts, place, env);
            }
        }
        base
    }

    /// Follows the parts of a reference from the element its first part means.
    fn follow<'r>(
        &mut self,
        first: ElemId,
        scope: NodeId,
        reference: &'r ComponentRef,
        env: &mut Env,
    ) -> Meaning<'r> {
        let mut elem = first;
        let mut path: Vec<(ComponentId, &'r RefPart)> = Vec::new();
        let mut through_class = scope != env.scope;
        for (index, part) in reference.parts.iter().enumerate() {
            let last = index + 1 == reference.parts.len();
            if self.elem(elem).class().is_some() {
                if !part.subscripts.is_empty() {
                    let what = format!("class `{}`", part.name);
                    self.too_many_subscripts(part.subscripts.len(), 0, &what, env.place(part.span));
                    return Meaning::Error;
                }
                if last {
                    return Meaning::Class(elem);
                }
                through_class = true;
                let next = &reference.parts[index + 1];
                if let Some(literal) = self.literal(elem, next, env) {
                    return literal;
                }
                let Some(node) = self.class_node(elem) else {
                    return Meaning::Error;
                };
                let Some(member) = self.lookup_member(node, next.name) else {
                    let rest = reference.parts[index + 1..].iter();
                    let path = rest.map(ident_of).collect::<Vec<_>>();
                    self.unknown_on_path(node, &path, env.text);
                    return Meaning::Error;
                };
                if self.class_for_component(part, node, member, env) {
                    return Meaning::Error;
                }
                self.check_looked_into(elem, node, member, env.place(next.span));
                if self.elem(member).protected
                    && (!path.is_empty() || !self.is_inside(env.scope, node))
                {
                    self.protected_access(member, next.name, env.place(next.span));
                }
                if !path.is_empty() && self.elem(member).component().is_some() {
                    let message = format!(
                        "`{}` belongs to the class `{}` of a component: only functions can be reached that way",
                        next.name, part.name
                    );
                    self.error(
                        Code::MS2003,
                        env.place(next.span),
                        message,
                        "not a function",
                    );
                    return Meaning::Error;
                }
                elem = member;
                continue;
            }
            let Some(id) = self.component(elem) else {
                return Meaning::Error;
            };
            let declared = id;
            let id = self.through_outer(id, index == 0 && scope == env.scope);
            if id != declared {
                // The inner one is part of something on the way, or of the surroundings.
                let parent = self.out.components[id].parent;
                let kept = path.iter().position(|(above, _)| Some(*above) == parent);
                path.truncate(kept.map_or(0, |index| index + 1));
            }
            if through_class && path.is_empty() && !self.check_enclosing(id, part, env) {
                return Meaning::Error;
            }
            through_class = false;
            if self.is_absent(id) {
                if env.connect {
                    return Meaning::Absent;
                }
                self.absent_used(id, env.place(part.span));
                return Meaning::Error;
            }
            self.check_conditional(declared, part, env);
            path.push((id, part));
            if last {
                return Meaning::Components(path);
            }
            let next = &reference.parts[index + 1];
            if id != declared && !self.is_declared_by_outer(declared, next, env) {
                return Meaning::Error;
            }
            let Some(node) = self.info(id).node else {
                if self.out.components[id].ty.is_unknown() {
                    return Meaning::Error;
                }
                let message = format!(
                    "`{}` is {} and has no parts",
                    part.name, self.out.components[id].ty
                );
                self.error(Code::MS2004, env.place(next.span), message, "not found");
                return Meaning::Error;
            };
            match self.lookup_member(node, next.name) {
                Some(member) => {
                    if self.elem(member).protected && self.elem(member).component().is_some() {
                        self.protected_access(member, next.name, env.place(next.span));
                    }
                    elem = member;
                }
                None => {
                    if env.connect && self.out.components[id].kind == ClassKind::ExpandableConnector
                    {
                        return Meaning::Components(path);
                    }
                    if !self.has_error_base(node) {
                        let name = Ident {
                            name: next.name,
                            span: next.span,
                        };
                        match env.connect {
                            true => self.unknown_connector(id, &name, env.text),
                            false => self.unknown_in(node, &name, env.text),
                        }
                    }
                    return Meaning::Error;
                }
            }
        }
        Meaning::Error
    }

    /// Whether `scope` is the class of `node`, extends it, or stands inside it: then protected elements are its own.
    fn is_inside(&self, scope: NodeId, node: NodeId) -> bool {
        let def = self.node(node).def;
        let mut at = scope;
        loop {
            let mut derived = Some(at);
            while let Some(it) = derived {
                if self.node(it).def.same(def) {
                    return true;
                }
                derived = self.node(it).derived;
            }
            if at == crate::cx::ROOT {
                return false;
            }
            at = self.node(at).parent;
        }
    }

    /// An `outer` component means its `inner`.
    fn through_outer(&mut self, id: ComponentId, own_class: bool) -> ComponentId {
        if let Some(inner) = self.out.components[id].outer {
            return inner;
        }
        if own_class
            && self.out.components[id].inner
            && let Some(target) = self.info(id).outer_target
        {
            return target;
        }
        id
    }

    /// What is used of an `outer` component is declared by its own type, of which the `inner` may be a subtype
    /// (Modelica 3.6 §5.4). What is missing is reported.
    fn is_declared_by_outer(&mut self, outer: ComponentId, next: &RefPart, env: &Env) -> bool {
        let Some(node) = self.info(outer).node else {
            return true;
        };
        if self.out.components[outer].kind == ClassKind::ExpandableConnector
            || self.lookup_member(node, next.name).is_some()
            || self.has_error_base(node)
        {
            return true;
        }
        let name = Ident {
            name: next.name,
            span: next.span,
        };
        self.unknown_in(node, &name, env.text);
        false
    }

    /// Components of scopes further out and of packages must be constants.
    fn check_enclosing(&mut self, id: ComponentId, part: &RefPart, env: &Env) -> bool {
        let component = &self.out.components[id];
        if component.variability <= Variability::Constant
            || component.inner
            || component.ty.is_unknown()
            || matches!(component.ty, Type::External(_) | Type::Function(_))
            || self.belongs_to(id, env.scope)
        {
            return true;
        }
        let declared = component.place;
        let diagnostic = Diagnostic::new(
            Code::MS2025,
            format!(
                "`{}` belongs to another class and is not a constant",
                part.name
            ),
        )
        .label(env.place(part.span), "only constants can be used from here")
        .label(declared, "declared here")
        .note("pass it on as an input of the function, or as a parameter of the class");
        self.report(diagnostic);
        false
    }

    /// Whether the component is one of the instance that `scope` is part of.
    fn belongs_to(&self, id: ComponentId, scope: NodeId) -> bool {
        let home = self.elem(self.info(id).elem).node;
        self.derived_most(home) == self.derived_most(scope)
    }

    fn literal<'r>(&mut self, elem: ElemId, next: &RefPart, env: &Env) -> Option<Meaning<'r>> {
        let alias = self.alias(elem)?;
        let Type::Enumeration(ty) = &alias.ty else {
            return None;
        };
        let position = ty.literals.iter().position(|literal| *literal == next.name);
        Some(match position {
            Some(_) if !next.subscripts.is_empty() => {
                let what = format!("literal `{}`", next.name);
                self.too_many_subscripts(next.subscripts.len(), 0, &what, env.place(next.span));
                Meaning::Error
            }
            Some(index) => Meaning::Value(Typed::constant(
                Exp::Enum(ty.clone(), index as u32 + 1),
                alias.ty.clone(),
            )),
            None => {
                let literals: Vec<String> =
                    ty.literals.iter().map(|it| format!("`{it}`")).collect();
                let diagnostic = Diagnostic::new(
                    Code::MS2004,
                    format!("enumeration `{}` has no literal `{}`", ty.path, next.name),
                )
                .label(env.place(next.span), "not a literal")
                .note(format!("its literals are {}", literals.join(", ")));
                let near =
                    modeshift_hir::near_names(next.name.as_str(), ty.literals.iter().copied());
                let mut at = next.span;
                at.end = at.start + next.name.as_str().len() as u32;
                self.report(match near.first() {
                    Some(&similar) => {
                        crate::unknown::suggest(diagnostic, env.place(at), &[similar])
                    }
                    None => diagnostic,
                });
                Meaning::Error
            }
        })
    }

    /// A conditional component can be modified and connected, nothing else (Modelica 3.6 §4.4.5). Libraries also give it to
    /// components that vanish with it: that is told, but no error.
    fn check_conditional(&mut self, id: ComponentId, part: &RefPart, env: &Env) {
        let elem = self.info(id).elem;
        let condition = self.elem(elem).component().and_then(|it| it.condition);
        if env.connect || condition.is_none() {
            return;
        }
        let severity = match env.conditional {
            true => Severity::Note,
            // A check makes it an error; a flat model can be printed all the same.
            false => Severity::Warning,
        };
        let component = &self.out.components[id];
        let diagnostic = Diagnostic::new(
            Code::MS2078,
            format!(
                "`{}` has a condition and can only be used in `connect`",
                component.name
            ),
        )
        .with_severity(severity)
        .label(env.place(part.span), "used here")
        .label(component.place, "declared with a condition")
        .note("Connect it to a variable that always exists, and use that one.");
        self.report(diagnostic);
    }

    fn absent_used(&mut self, id: ComponentId, place: crate::tree::Place) {
        let component = &self.out.components[id];
        let diagnostic = Diagnostic::new(
            Code::MS2018,
            format!(
                "`{}` does not exist here, because its condition is false",
                component.name
            ),
        )
        .label(place, "used here")
        .label(component.place, "declared with a condition")
        .note(
            "A conditional component can only be used in `connect`, which then vanishes with it.",
        );
        self.report(diagnostic);
    }

    /// The reference made of components, with its subscripts typed.
    pub(crate) fn type_cref(
        &mut self,
        path: &[(ComponentId, &RefPart)],
        span: Span,
        env: &mut Env,
    ) -> Typed {
        let mut parts: Vec<CrefPart> = Vec::with_capacity(path.len());
        let mut dims: Vec<Dim> = Vec::new();
        let mut var = Variability::Constant;
        for (id, part) in path {
            self.type_component(*id);
            let own = self.out.components[*id].dims.clone();
            if part.subscripts.len() > own.len() {
                if self.out.components[*id].ty.is_unknown() {
                    return Typed::error();
                }
                let what = format!("`{}`", part.name);
                self.too_many_subscripts(
                    part.subscripts.len(),
                    own.len(),
                    &what,
                    env.place(part.span),
                );
                return Typed::error();
            }
            if part.subscripts.is_empty() {
                dims.extend(own);
                parts.push(CrefPart {
                    component: *id,
                    subscripts: Vec::new(),
                });
                continue;
            }
            let ty = Type::array(self.out.components[*id].ty.clone(), own.clone());
            let mut so_far = parts.clone();
            so_far.push(CrefPart {
                component: *id,
                subscripts: Vec::new(),
            });
            let base = Exp::Ref(Cref { parts: so_far, ty });
            let Some((subscripts, left, sub_var)) =
                self.type_subscripts(&part.subscripts, &own, &base, env)
            else {
                return Typed::error();
            };
            var = var.max(sub_var);
            dims.extend(left);
            parts.push(CrefPart {
                component: *id,
                subscripts,
            });
        }
        let Some(&(last, _)) = path.last() else {
            return Typed::error();
        };
        let ty = Type::array(self.out.components[last].ty.clone(), dims);
        let mut own_var = self.record_variability(last);
        // What a function is given decides the fields of a record, the constant ones included.
        if let [(first, _), _, ..] = path
            && self.info(*first).in_function
        {
            own_var = own_var.max(self.out.components[*first].variability);
        }
        if ty.is_unknown() {
            return Typed::error();
        }
        let cref = Cref {
            parts,
            ty: ty.clone(),
        };
        if own_var == Variability::Constant && !env.connect && !self.is_loop_variable(last) {
            return self.constant_value(cref, ty, var, env.place(span));
        }
        Typed::new(Exp::Ref(cref), ty, own_var.max(var))
    }

    /// A record all of whose fields are parameters or constants changes no more than they do (Modelica 3.6 §4.5.3).
    fn record_variability(&mut self, id: ComponentId) -> Variability {
        let component = &self.out.components[id];
        let own = component.variability;
        let is_record = matches!(component.ty, Type::Record(_));
        if !is_record || own <= Variability::Parameter || self.info(id).in_function {
            return own;
        }
        let Some(node) = self.info(id).node else {
            return own;
        };
        let mut fields = Vec::new();
        self.collect_components(node, &mut fields);
        let mut widest = None;
        for field in fields {
            if let Some(field) = self.component(field) {
                widest = widest.max(Some(self.record_variability(field)));
            }
        }
        widest.map_or(own, |widest| widest.clamp(Variability::Parameter, own))
    }

    fn is_loop_variable(&self, id: ComponentId) -> bool {
        matches!(
            self.out.components[id].ty,
            Type::Function(_) | Type::External(_)
        )
    }

    /// Constants are replaced by their values.
    fn constant_value(
        &mut self,
        cref: Cref,
        ty: Type,
        var: Variability,
        place: crate::tree::Place,
    ) -> Typed {
        let with_unit = cref.component().is_some_and(|id| {
            let mods = self.info(id).mods.as_ref();
            mods.is_some_and(|mods| mods.sub(Name::new("unit")).is_some())
        });
        if with_unit {
            self.out.unit_constants.push(place);
        }
        let exp = Exp::Ref(cref);
        if var > Variability::Structural {
            let value = self.constant_with_open_subscripts(&exp);
            return Typed::new(value.unwrap_or(exp), ty, var);
        }
        match self.eval_constant(&exp, place) {
            Some(exp) => Typed::new(exp, ty, var),
            None => Typed::new(exp, ty, var),
        }
    }

    /// A class where a value is expected: enumerations and Boolean as ranges, functions as arguments.
    fn class_as_value(&mut self, elem: ElemId, reference: &ComponentRef, env: &Env) -> Typed {
        if let Some(alias) = self.alias(elem) {
            let dim = match &alias.ty {
                Type::Boolean => Dim::Boolean,
                Type::Enumeration(ty) => Dim::Enumeration(ty.clone()),
                _ => {
                    self.class_is_no_value(elem, reference, env);
                    return Typed::error();
                }
            };
            let ty = Type::array(alias.ty.clone(), vec![dim.clone()]);
            return Typed::constant(Exp::TypeRange(dim), ty);
        }
        let kind = self.class_node(elem).map(|node| self.node(node).def.kind());
        if matches!(
            kind,
            Some(ClassKind::Function | ClassKind::OperatorFunction)
        ) && let Some(function) = self.function(elem)
        {
            self.require_function(&function);
            let ty = Type::Function(function.name.clone());
            return Typed::constant(
                Exp::PartialFunction(function.name.clone(), Vec::new(), ty.clone()),
                ty,
            );
        }
        self.class_is_no_value(elem, reference, env);
        Typed::error()
    }

    fn class_is_no_value(&mut self, elem: ElemId, reference: &ComponentRef, env: &Env) {
        let name = self.elem(elem).name;
        let mut diagnostic = Diagnostic::new(
            Code::MS2003,
            format!("`{name}` is a class, but a value is needed here"),
        )
        .label(env.place(reference.span), "used as a value");
        if let Some(declared) = self.elem(elem).place() {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.report(diagnostic);
    }

    /// Whether an expression has a value that can be assigned or made equal to something: names of types stand for
    /// ranges of loops and sizes only, and a model is not a value. What is none is reported.
    pub(crate) fn is_value(&mut self, typed: &Typed, place: crate::tree::Place) -> bool {
        match &typed.exp {
            Exp::TypeRange(_) => {
                self.error(
                    Code::MS2003,
                    place,
                    "the name of a type is not a value",
                    "allowed as a range or a size only",
                );
                false
            }
            Exp::Ref(cref) => {
                let kind = cref
                    .component()
                    .filter(|id| matches!(self.out.components[*id].ty, Type::Record(_)))
                    .map(|id| self.out.components[id].kind);
                let Some(kind @ (ClassKind::Model | ClassKind::Block)) = kind else {
                    return true;
                };
                let kind = kind.as_str();
                self.error(
                    Code::MS2003,
                    place,
                    format!("a {kind} is not a value"),
                    format!("this is a {kind} as a whole"),
                );
                false
            }
            _ => true,
        }
    }

    /// A reference as written, for messages.
    pub(crate) fn print_path(path: &[(ComponentId, &RefPart)]) -> Arc<str> {
        let names: Vec<&str> = path.iter().map(|(_, part)| part.name.as_str()).collect();
        names.join(".").into()
    }
}
