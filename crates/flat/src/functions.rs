//! Functions that are used, lowered for printing and for the analyses: arrays stay arrays.

use crate::lower::{Cx, Scope};
use crate::model::{
    Attribute, Function, FunctionBody, FunctionDim, FunctionVariable, Origin, OriginKind,
};
use crate::statements::statements;
use modeshift_inst::tree::{self, Component, ComponentId};
use modeshift_inst::ty::Dim;
use std::sync::Arc;

/// All functions of the instance, sorted by name.
pub(crate) fn lower(cx: &mut Cx<'_>) -> Vec<Function> {
    let instance = cx.instance;
    cx.scope = Scope::Function;
    let mut functions: Vec<Function> = instance
        .functions
        .iter()
        .filter(|function| !matches!(function.body, tree::FunctionBody::Partial))
        .map(|function| one(cx, function))
        .collect();
    cx.scope = Scope::Model;
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    functions
}

fn one(cx: &mut Cx<'_>, function: &tree::Function) -> Function {
    let locals = function
        .variables
        .iter()
        .map(|&id| variable(cx, id))
        .collect();
    let body = match &function.body {
        tree::FunctionBody::Algorithm(body) => {
            FunctionBody::Algorithm(statements(cx, body, &function.name))
        }
        tree::FunctionBody::External {
            language,
            name,
            args,
            output,
            annotation,
        } => FunctionBody::External {
            language: language.clone(),
            name: name.clone(),
            args: args.iter().map(|arg| cx.value(arg)).collect(),
            output: output.as_ref().map(|output| cx.value(output)),
            annotation: annotation.clone(),
        },
        tree::FunctionBody::RecordConstructor => FunctionBody::RecordConstructor,
        tree::FunctionBody::Derivative { of, wrt } => FunctionBody::Derivative {
            of: of.clone(),
            wrt: wrt.clone(),
        },
        tree::FunctionBody::Partial => FunctionBody::Partial,
    };
    Function {
        name: function.name.clone(),
        comment: function.comment.clone(),
        pure: function.pure,
        locals,
        body,
        annotation: function.annotation.clone(),
        origin: Arc::new(Origin {
            span: function.place,
            also: Vec::new(),
            instance: Arc::from(""),
            kind: OriginKind::Declaration,
            comment: None,
        }),
    }
}

fn variable(cx: &mut Cx<'_>, id: ComponentId) -> FunctionVariable {
    let component: &Component = &cx.instance.components[id];
    let dims = component
        .dims
        .iter()
        .map(|dim| dimension(cx, dim))
        .collect();
    let attributes = component
        .attributes
        .iter()
        .map(|attribute| Attribute {
            name: attribute.name,
            value: cx.value(&attribute.binding.exp),
            final_: attribute.binding.final_,
        })
        .collect();
    let binding = component
        .binding
        .as_ref()
        .map(|binding| cx.value(&binding.exp));
    FunctionVariable {
        name: component.name,
        ty: component.ty.clone(),
        dims,
        causality: component.causality,
        variability: component.variability,
        protected: component.protected,
        attributes,
        binding,
        comment: component.comment.clone(),
    }
}

fn dimension(cx: &mut Cx<'_>, dim: &Dim) -> FunctionDim {
    match dim {
        Dim::Known(n) => FunctionDim::Known(*n),
        Dim::Boolean => FunctionDim::Boolean,
        Dim::Enumeration(ty) => FunctionDim::Enumeration(ty.clone()),
        Dim::Flexible(None) => FunctionDim::Flexible,
        Dim::Flexible(Some(size)) => FunctionDim::Given(cx.value(size)),
    }
}
