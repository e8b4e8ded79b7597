//! Records that a function does nothing but put together.

use crate::flatten::Flattener;
use modeshift_base::FxHashMap;
use modeshift_inst::exp::{Callee, Exp, substitute};
use modeshift_inst::tree::{Binding, Component, ComponentId, FunctionBody, StatementKind};
use modeshift_inst::ty::{Causality, Variability};

impl Flattener<'_> {
    /// The fields of a parameter whose value a function does nothing but put together, `r := R(a, b)`: they are told by the
    /// arguments instead of an initial equation.
    pub(crate) fn told_by_function(&self, component: &Component, binding: &Binding) -> Option<Exp> {
        let Exp::Call(call) = &binding.exp else {
            return None;
        };
        let is_parameter = component.variability <= Variability::Parameter;
        if !is_parameter || !component.dims.is_empty() || !binding.indexed_by.is_empty() {
            return None;
        }
        let instance = self.cx.instance;
        let Callee::User(name) = &call.function else {
            return None;
        };
        let function = instance.functions.iter().find(|it| it.name == *name)?;
        let FunctionBody::Algorithm(body) = &function.body else {
            return None;
        };
        let [statement] = body.as_slice() else {
            return None;
        };
        let StatementKind::Assign { target, value, .. } = &statement.kind else {
            return None;
        };
        let (Exp::Ref(target), Exp::Record(..)) = (target, value) else {
            return None;
        };
        let causality = |id: &ComponentId| instance.components[*id].causality;
        let (inputs, others): (Vec<ComponentId>, Vec<ComponentId>) =
            (function.variables.iter()).partition(|id| causality(id) == Some(Causality::Input));
        let whole = target.parts.len() == 1 && target.parts[0].subscripts.is_empty();
        if !whole
            || !function.pure
            || others != [target.parts[0].component]
            || inputs.len() != call.args.len()
        {
            return None;
        }
        let map: FxHashMap<ComponentId, Exp> =
            inputs.into_iter().zip(call.args.iter().cloned()).collect();
        Some(substitute(value.clone(), &map, &|id| {
            instance.components[id].name
        }))
    }
}
