//! Attributes of variables: `start`, `unit`, `min` …

use super::{Env, fit};
use crate::cx::{ALIAS, Cx};
use crate::exp::Exp;
use crate::modifier::{Mod, ModValue};
use crate::tree::{Attribute, Binding, ComponentId};
use crate::ty::{Dim, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::ExprKind;

impl<'a> Cx<'_, 'a> {
    /// A parameter without a value takes its start value.
    pub(crate) fn start_as_binding(&mut self, id: ComponentId) {
        let component = &self.out.components[id];
        let parameter = matches!(
            component.variability,
            Variability::Parameter | Variability::Structural
        );
        let given = self
            .info(id)
            .mods
            .as_ref()
            .is_some_and(|mods| mods.value.is_some());
        if !parameter || given || self.info(id).in_function {
            return;
        }
        let fixed = component
            .attributes
            .iter()
            .find(|attribute| attribute.name.as_str() == "fixed");
        if fixed.is_some_and(|fixed| fixed.binding.exp != Exp::Bool(true)) {
            return;
        }
        let is_record =
            |above: &ComponentId| crate::component::is_value_kind(self.out.components[*above].kind);
        let mut parent = component.parent;
        let in_record = parent.is_some_and(|above| is_record(&above));
        while let Some(above) = parent.filter(is_record) {
            if self
                .info(above)
                .mods
                .as_ref()
                .is_some_and(|mods| mods.value.is_some())
            {
                return;
            }
            parent = self.out.components[above].parent;
        }
        let start = component
            .attributes
            .iter()
            .find(|attribute| attribute.name == self.names.start);
        let Some(mut binding) = start.map(|start| start.binding.clone()) else {
            return;
        };
        if binding.each && !component.dims.is_empty() {
            let ty = Type::array(component.ty.clone(), component.dims.clone());
            let mut args = vec![binding.exp];
            args.extend(
                component
                    .dims
                    .iter()
                    .map(|dim| Exp::Int(dim.known().unwrap_or(0))),
            );
            binding.exp =
                super::builtin::builtin("fill", args, ty.clone(), binding.variability).exp;
            binding.ty = ty;
        }
        let mods = self.info(id).mods.as_ref();
        let by_type = mods
            .into_iter()
            .flat_map(|mods| &mods.subs)
            .any(|(name, sub)| {
                *name == self.names.start && sub.value.is_some_and(|value| value.at == ALIAS)
            });
        binding.only_start = in_record || (by_type && !component.dims.is_empty());
        binding.each = false;
        self.out.components[id].binding = Some(binding);
    }

    pub(crate) fn bind_attributes(&mut self, id: ComponentId) {
        let Some(mods) = self.info(id).mods.clone() else {
            return;
        };
        let mut attributes: Vec<(usize, Attribute)> = Vec::new();
        for (name, sub) in &mods.subs {
            let Some(order) = attribute_order(&self.out.components[id].ty, *name) else {
                self.unknown_attribute(id, *name, sub);
                continue;
            };
            if let Some((inner, inner_mod)) = sub.subs.first() {
                let message = format!("attribute `{name}` has no element `{inner}`");
                self.error(Code::MS2006, inner_mod.place, message, "no such element");
            }
            if let Some(redeclare) = &sub.redeclare {
                self.error(
                    Code::MS2010,
                    redeclare.place,
                    format!("attribute `{name}` cannot be redeclared"),
                    "redeclared here",
                );
            }
            let Some(value) = sub.value else { continue };
            if let Some(binding) = self.attribute(id, *name, sub, &value) {
                attributes.push((
                    order,
                    Attribute {
                        name: *name,
                        binding,
                    },
                ));
            }
        }
        attributes.sort_by_key(|(order, _)| *order);
        self.out.components[id].attributes = attributes
            .into_iter()
            .map(|(_, attribute)| attribute)
            .collect();
    }

    pub(crate) fn unknown_attribute(&mut self, id: ComponentId, name: Name, sub: &Mod<'a>) {
        let component = &self.out.components[id];
        if component.ty.is_unknown() {
            return;
        }
        let known = ATTRIBUTES.iter().map(|it| Name::new(it));
        let known = known.filter(|it| attribute_order(&component.ty, *it).is_some());
        let similar = modeshift_hir::nearest_names(name.as_str(), known);
        let diagnostic = Diagnostic::new(
            Code::MS2006,
            format!(
                "`{}` is {} and has no attribute `{name}`",
                component.name, component.ty
            ),
        )
        .label(sub.place, "no such attribute")
        .label(
            component.place,
            format!("`{}` is declared here", component.name),
        );
        self.report(sub.suggest(diagnostic, name, &similar));
    }

    pub(crate) fn attribute(
        &mut self,
        id: ComponentId,
        name: Name,
        modifier: &Mod<'a>,
        value: &ModValue<'a>,
    ) -> Option<Binding> {
        let exp = value.exp?;
        let mut env = Env::new(value.scope, value.text);
        env.function = self.info(id).in_function;
        let element = attribute_type(&self.out.components[id].ty, name);
        // `unit = kg`: what is missing is the quotes.
        if element == Type::String
            && let ExprKind::Ref(reference) = &exp.kind
            && reference.parts.len() == 1
        {
            env.wanted = Some(Type::String);
        }
        let typed = super::operator::first_output(self.type_exp(exp, &mut env));
        let typed = self.of_element(id, true, value, typed);
        if typed.is_error() {
            return None;
        }
        self.check_each(id, true, modifier, value);
        let chain = self.index_chain(id, true, value);
        let mut dims: Vec<Dim> = Vec::new();
        for &array in &chain {
            dims.extend(self.out.components[array].dims.iter().cloned());
        }
        let wanted = Type::array(element.clone(), dims.clone());
        let rank = typed.ty.rank();
        // Fewer dimensions than the arrays around have: the same for all of the outer ones.
        let (ty, chain) = if rank == 0 && (value.at == ALIAS || chain.is_empty()) {
            (element.clone(), Vec::new())
        } else if value.at == ALIAS {
            let own = self.out.components[id].dims.clone();
            let from = own.len().saturating_sub(rank);
            (
                Type::array(
                    element.clone(),
                    own.get(from..).unwrap_or_default().to_vec(),
                ),
                vec![id],
            )
        } else if rank == 0
            && (chain == [id] || value.each.is_some())
            && !matches!(exp.kind, ExprKind::Array(_))
        {
            self.one_for_all(chain.last().copied(), modifier, name);
            (element.clone(), Vec::new())
        } else {
            (wanted.clone(), chain)
        };
        let Some(exp) = fit(typed.exp.clone(), &typed.ty, &ty) else {
            let component = &self.out.components[id];
            let fits_one = fit(typed.exp.clone(), &typed.ty, &element).is_some();
            let (message, code) = if fits_one {
                let hint = format!(
                    "`{}` is an array, so `{name}` needs a value for each element, or `each`",
                    component.name
                );
                (hint, Code::MS2030)
            } else {
                (
                    format!(
                        "attribute `{name}` of `{}` must be {ty}, but this is {}",
                        component.name, typed.ty
                    ),
                    Code::MS2020,
                )
            };
            let diagnostic = Diagnostic::new(code, message)
                .label(value.place, format!("this is {}", typed.ty))
                .label(component.place, "declared here");
            self.report(diagnostic);
            return None;
        };
        let mut exp = exp;
        if typed.var == Variability::Parameter
            && matches!(name.as_str(), "fixed" | "stateSelect")
            && let Some(known) = self.eval_quiet(&exp)
        {
            self.mark_structural(&exp);
            exp = known.to_exp();
        }
        if typed.var > Variability::Parameter && !self.info(id).in_function {
            let component = &self.out.components[id];
            let diagnostic = Diagnostic::new(
                Code::MS2025,
                format!(
                    "attribute `{name}` of `{}` must be a parameter expression",
                    component.name
                ),
            )
            .label(value.place, format!("this is {}", typed.var.describe()));
            self.report(diagnostic);
            return None;
        }
        Some(Binding {
            exp,
            ty,
            variability: typed.var,
            // The own dimensions are said by `each`; only arrays around are listed.
            each: !chain.contains(&id),
            only_start: false,
            given: None,
            indexed_by: chain.into_iter().filter(|array| *array != id).collect(),
            final_: value.final_,
            place: value.place,
        })
    }
}

/// Attributes in the order they are printed in.
const ATTRIBUTES: [&str; 13] = [
    "quantity",
    "unit",
    "displayUnit",
    "min",
    "max",
    "start",
    "fixed",
    "nominal",
    "stateSelect",
    "unbounded",
    "uncertain",
    "distribution",
    "startOrigin",
];

/// Where the attribute stands in the printed order; `None` if the type has no such attribute.
fn attribute_order(ty: &Type, name: Name) -> Option<usize> {
    let text = name.as_str();
    let known = match ty.element() {
        Type::Real => true,
        Type::Integer | Type::Enumeration(_) => {
            matches!(text, "quantity" | "min" | "max" | "start" | "fixed")
        }
        Type::Boolean | Type::String => matches!(text, "quantity" | "start" | "fixed"),
        _ => false,
    };
    let order = ATTRIBUTES.iter().position(|attribute| *attribute == text)?;
    known.then_some(order)
}

fn attribute_type(ty: &Type, name: Name) -> Type {
    match name.as_str() {
        "quantity" | "unit" | "displayUnit" | "startOrigin" => Type::String,
        "fixed" | "unbounded" => Type::Boolean,
        "stateSelect" => crate::resolve::builtin_type(crate::node::Builtin::StateSelect),
        "uncertain" | "distribution" => Type::Unknown,
        _ => ty.element().clone(),
    }
}
