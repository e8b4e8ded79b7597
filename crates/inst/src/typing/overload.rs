//! Operator records (Modelica 3.6 §14): constructors and operators chosen by the types of their operands.

use super::call::{Arg, TypedArgs};
use super::operator::{Places, symbol};
use super::{Env, Typed, fit};
use crate::cx::{Cx, FunctionInfo};
use crate::exp::Exp;
use crate::node::{ElemId, NodeId};
use crate::tree::Place;
use crate::ty::Type;
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::Element;
use modeshift_syntax::ast::{self, Args, ClassKind};
use std::sync::Arc;

impl Clone for Arg {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            place: self.place,
        }
    }
}

impl Clone for TypedArgs {
    fn clone(&self) -> Self {
        Self {
            positional: self.positional.clone(),
            named: self.named.clone(),
        }
    }
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn overloaded_binary(
        &mut self,
        op: ast::BinaryOp,
        lhs: Typed,
        rhs: Typed,
        places: Places,
        env: &mut Env,
    ) -> Typed {
        let text = symbol(op).trim_start_matches('.');
        let name = Name::new(&format!("'{text}'"));
        let mut candidates = self.operator_functions(&lhs.ty, name);
        for other in self.operator_functions(&rhs.ty, name) {
            // Records derived from one class share its operators.
            let def = self.node(other.node).def;
            if !(candidates.iter()).any(|it| self.node(it.node).def.same(def)) {
                candidates.push(other);
            }
        }
        // `.*` of arrays applies the operator of two scalars to each pair of elements (Modelica 3.6 §14.5).
        if symbol(op).starts_with('.') && (lhs.ty.is_array() || rhs.ty.is_array()) {
            candidates.retain(|info| {
                let mut inputs = info.inputs.iter();
                inputs.all(|id| self.info(*id).dims.is_empty())
            });
        }
        let args = |l: &Typed, r: &Typed| TypedArgs {
            positional: vec![
                Arg {
                    value: l.clone(),
                    place: places[0],
                },
                Arg {
                    value: r.clone(),
                    place: places[1],
                },
            ],
            named: Vec::new(),
        };
        if let Some(found) = self.first_match(&candidates, &args(&lhs, &rhs), places[2], env) {
            return found;
        }
        // One operand can be made a record of the other's class.
        if let Some(converted) = self.constructed(&rhs, &lhs.ty, places[1], env)
            && let Some(found) =
                self.first_match(&candidates, &args(&lhs, &converted), places[2], env)
        {
            return found;
        }
        if let Some(converted) = self.constructed(&lhs, &rhs.ty, places[0], env)
            && let Some(found) =
                self.first_match(&candidates, &args(&converted, &rhs), places[2], env)
        {
            return found;
        }
        self.operand_mismatch(op, &lhs, &rhs, places)
    }

    pub(crate) fn overloaded_unary(
        &mut self,
        op: ast::UnaryOp,
        operand: Typed,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let text = match op {
            ast::UnaryOp::Minus | ast::UnaryOp::ElementMinus => "'-'",
            ast::UnaryOp::Not => "'not'",
            ast::UnaryOp::Plus | ast::UnaryOp::ElementPlus => return operand,
        };
        let candidates = self.operator_functions(&operand.ty, Name::new(text));
        let args = TypedArgs {
            positional: vec![Arg {
                value: operand.clone(),
                place,
            }],
            named: Vec::new(),
        };
        if let Some(found) = self.first_match(&candidates, &args, place, env) {
            return found;
        }
        self.wrong_operand(text.trim_matches('\''), &operand.ty, "a number", place);
        Typed::error()
    }

    pub(crate) fn overloaded_string(
        &mut self,
        value: Typed,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let candidates = self.operator_functions(&value.ty, Name::new("'String'"));
        let args = self.type_args(args, env);
        match self.first_match(&candidates, &args, place, env) {
            Some(found) => found,
            None => {
                self.wrong_argument("String", Self::position(0), &value.ty, &Type::Real, place);
                Typed::error()
            }
        }
    }

    /// The constructor of an operator record: one of its own, or the one from its fields.
    pub(crate) fn call_constructor(
        &mut self,
        elem: ElemId,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let args = self.type_args(args, env);
        if args.positional.iter().any(|arg| arg.value.is_error()) {
            return Typed::error();
        }
        let Some(node) = self.class_node(elem) else {
            return Typed::error();
        };
        self.remember_record(elem);
        let candidates = self.functions_of_operator(node, Name::new("'constructor'"));
        if let Some(wrong) = candidates.iter().find(|info| info.outputs.len() != 1) {
            let diagnostic = Diagnostic::new(
                Code::MS2031,
                format!(
                    "the constructor `{}` has {} outputs, but must have one",
                    wrong.name,
                    wrong.outputs.len()
                ),
            )
            .label(place, "called here");
            let diagnostic = self.with_function_label(diagnostic, wrong);
            self.report(diagnostic);
            return Typed::error();
        }
        for info in &candidates {
            let Some(&output) = info.outputs.first() else {
                continue;
            };
            let ty = self.full_type(output);
            if matches!(ty, Type::Record(_) | Type::Unknown) {
                continue;
            }
            let record = self.class_path(elem);
            let message = format!(
                "the constructor `{}` gives {ty}, but must give `{record}`",
                info.name
            );
            let diagnostic = Diagnostic::new(Code::MS2031, message)
                .label(self.out.components[output].place, format!("this is {ty}"))
                .label(place, "called here");
            self.report(diagnostic);
            return Typed::error();
        }
        if let Some(found) = self.first_match(&candidates, &args, place, env) {
            return found;
        }
        let Some(info) = self.function(elem) else {
            return Typed::error();
        };
        self.call_function(&info, args, place, env)
    }

    /// Calls one of the functions of an `operator`.
    pub(crate) fn call_operator(
        &mut self,
        node: NodeId,
        args: TypedArgs,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let candidates = self.functions_in(node);
        if let Some(found) = self.first_match(&candidates, &args, place, env) {
            return found;
        }
        match candidates.first() {
            Some(first) => self.call_function(first, args, place, env),
            None => Typed::error(),
        }
    }

    fn first_match(
        &mut self,
        candidates: &[Arc<FunctionInfo>],
        args: &TypedArgs,
        place: Place,
        env: &mut Env,
    ) -> Option<Typed> {
        // Records of the very classes, then records with the same fields, then what can be converted.
        for level in 0..3 {
            let mut first: Option<(Typed, &Arc<FunctionInfo>)> = None;
            for info in candidates {
                let fits = match level {
                    0 => self.is_exact(info, args) && self.has_classes(info, args),
                    1 => self.is_exact(info, args),
                    _ => true,
                };
                if !fits {
                    continue;
                }
                let (typed, failed) =
                    self.quietly(|cx| cx.call_function(info, args.clone(), place, env));
                if failed || typed.is_error() {
                    continue;
                }
                match &first {
                    None => first = Some((typed, info)),
                    Some((_, other)) if self.same_inputs(info, other) => {
                        self.ambiguous(other, info, place);
                        break;
                    }
                    Some(_) => {}
                }
            }
            if let Some((typed, _)) = first {
                return Some(typed);
            }
        }
        None
    }

    /// Whether both functions take the same: then nothing tells which one is meant.
    fn same_inputs(&mut self, a: &FunctionInfo, b: &FunctionInfo) -> bool {
        a.inputs.len() == b.inputs.len()
            && a.inputs
                .iter()
                .zip(&b.inputs)
                .all(|(a, b)| self.full_type(*a) == self.full_type(*b))
    }

    fn ambiguous(&mut self, first: &FunctionInfo, second: &FunctionInfo, place: Place) {
        let diagnostic = Diagnostic::new(
            Code::MS2021,
            format!(
                "two functions fit these operands, `{}` and `{}`",
                first.name, second.name
            ),
        )
        .label(place, "which one is meant?");
        let diagnostic = self.with_function_label(diagnostic, first);
        let diagnostic = self.with_function_label(diagnostic, second);
        self.report(diagnostic);
    }

    /// Whether records among the positional arguments are of the classes that the function asks for.
    fn has_classes(&mut self, info: &FunctionInfo, args: &TypedArgs) -> bool {
        let mut pairs = args.positional.iter().zip(&info.inputs);
        pairs.all(
            |(arg, &input)| match (arg.value.ty.element(), self.full_type(input).element()) {
                (Type::Record(own), Type::Record(wanted)) => own.path == wanted.path,
                _ => true,
            },
        )
    }

    /// Whether the positional arguments fit without application to each element.
    fn is_exact(&mut self, info: &FunctionInfo, args: &TypedArgs) -> bool {
        args.positional.len() <= info.inputs.len()
            && args.positional.iter().enumerate().all(|(index, arg)| {
                let wanted = self.full_type(info.inputs[index]);
                fit::fits(&arg.value.ty, &wanted)
            })
    }

    /// `value` made a record of the class `ty` by one of its constructors.
    fn constructed(
        &mut self,
        value: &Typed,
        ty: &Type,
        place: Place,
        env: &mut Env,
    ) -> Option<Typed> {
        let Type::Record(record) = ty.element() else {
            return None;
        };
        if fit::fits(&value.ty, ty.element()) {
            return None;
        }
        let elem = *self.record_elems.get(&record.path)?;
        let node = self.class_node(elem)?;
        let candidates = self.functions_of_operator(node, Name::new("'constructor'"));
        let args = TypedArgs {
            positional: vec![Arg {
                value: value.clone(),
                place,
            }],
            named: Vec::new(),
        };
        self.first_match(&candidates, &args, place, env)
    }

    fn operator_functions(&mut self, ty: &Type, name: Name) -> Vec<Arc<FunctionInfo>> {
        let Type::Record(record) = ty.element() else {
            return Vec::new();
        };
        let Some(&elem) = self.record_elems.get(&record.path) else {
            return Vec::new();
        };
        let Some(node) = self.class_node(elem) else {
            return Vec::new();
        };
        self.functions_of_operator(node, name)
    }

    /// The constructors that an operator record declares.
    pub(crate) fn constructors_of(&mut self, record: ElemId) -> Vec<Arc<FunctionInfo>> {
        match self.class_node(record) {
            Some(node) => self.functions_of_operator(node, Name::new("'constructor'")),
            None => Vec::new(),
        }
    }

    fn functions_of_operator(&mut self, node: NodeId, name: Name) -> Vec<Arc<FunctionInfo>> {
        let Some(elem) = self.lookup_member(node, name) else {
            return Vec::new();
        };
        let Some(operator) = self.class_node(elem) else {
            return Vec::new();
        };
        match self.node(operator).def.kind() {
            ClassKind::Function | ClassKind::OperatorFunction => {
                self.function(elem).into_iter().collect()
            }
            _ => self.functions_in(operator),
        }
    }

    fn functions_in(&mut self, node: NodeId) -> Vec<Arc<FunctionInfo>> {
        let Some(body) = self.node(node).def.body() else {
            return Vec::new();
        };
        let names: Vec<Name> = body
            .elements
            .iter()
            .filter_map(|element| match element {
                Element::Class(class) => Some(class.name),
                _ => None,
            })
            .collect();
        let mut found = Vec::new();
        for name in names {
            if let Some(elem) = self.lookup_member(node, name)
                && let Some(info) = self.function(elem)
            {
                found.push(info);
            }
        }
        found
    }

    /// Operators of a record type are found by its path.
    pub(crate) fn remember_record(&mut self, elem: ElemId) {
        let path: Box<str> = (&*self.class_path(elem)).into();
        self.record_elems.entry(path).or_insert(elem);
    }

    /// A record that stands for one of another class is handed out with its constructor.
    pub(crate) fn require_other_constructor(&mut self, own: &Type, other: &Type) {
        if let (Type::Record(own), Type::Record(other)) = (own.element(), other.element())
            && own.path != other.path
            && let Some(&elem) = self.record_elems.get(&own.path)
            && let Some(constructor) = self.function(elem)
        {
            self.require_function(&constructor);
            self.out.constructors.push(constructor.name.clone());
        }
    }

    /// A sum of records is made of calls of their `'+'`, which are handed out with it (Modelica 3.6 §10.3.4).
    pub(crate) fn require_addition(&mut self, ty: &Type) {
        for info in self.operator_functions(ty, Name::new("'+'")) {
            if info.inputs.len() == 2 {
                self.require_function(&info);
                self.out.constructors.push(info.name.clone());
            }
        }
    }

    /// A value as an argument of another type by way of a constructor; none so far.
    pub(crate) fn converted(&mut self, _exp: &Exp, _from: &Type, _to: &Type) -> Option<Exp> {
        None
    }
}
