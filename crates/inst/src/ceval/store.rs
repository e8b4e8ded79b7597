//! The instantiation as a world for evaluation, and evaluation as instantiation uses it.

use super::cast::cast;
use super::eval::field;
use super::{Eval, Fail, Frame, Value, World, eval};
use crate::cx::Cx;
use crate::exp::{Cref, Exp, Subscript, visit_refs};
use crate::node::Progress;
use crate::tree::Place;
use crate::tree::{Component, ComponentId, Function};
use crate::ty::{RecordType, Type, Variability};
use modeshift_base::SharedVec;
use modeshift_syntax::ast::{ClassKind, ExprKind};
use std::sync::Arc;

/// How reasons end that are about functions whose text is not Modelica.
pub(super) const FOREIGN: &str = "is written in another language";

/// The value of a component with the arrays that index it, or why there is none.
pub(crate) type Known = Arc<Eval<(Value, Vec<ComponentId>)>>;

impl World for Cx<'_, '_> {
    fn components(&self) -> &SharedVec<Component> {
        &self.out.components
    }

    fn value_of(&mut self, id: ComponentId) -> Eval<(Value, Vec<ComponentId>)> {
        match &self.info(id).value {
            Progress::Done(known) => return (**known).clone(),
            Progress::Busy => {
                self.cyclic_value(id);
                return Err(Fail::new(""));
            }
            Progress::Todo => {}
        }
        self.info_mut(id).value = Progress::Busy;
        let place = self.out.components[id].place;
        self.on_the_way.push(id);
        let result = self.deeper(Some(place), |cx| cx.find_value(id));
        self.on_the_way.pop();
        let mut result = result.unwrap_or_else(|| Err(Fail::new("")));
        if let Err(fail) = &mut result {
            fail.of.get_or_insert(id);
        }
        self.info_mut(id).value = Progress::Done(Arc::new(result.clone()));
        result
    }

    fn parts(&mut self, id: ComponentId) -> Vec<ComponentId> {
        let Some(node) = self.info(id).node else {
            return Vec::new();
        };
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        elems
            .into_iter()
            .filter_map(|elem| self.component(elem))
            .collect()
    }

    fn function(&mut self, name: &str) -> Option<Arc<Function>> {
        let node = *self.function_names.get(name)?;
        let index = self.function_body(node)?;
        self.done_functions.get(index).cloned()
    }

    fn take_steps(&mut self, steps: u64) -> bool {
        self.fuel = self.fuel.saturating_sub(steps);
        self.fuel > 0
    }

    fn gave_up(&mut self, place: Option<Place>) -> Option<Place> {
        self.gave_up = self.gave_up.or(place);
        self.gave_up
    }

    fn differs(&mut self, array: ComponentId) {
        self.differing = Some(array);
    }
}

impl<'a> Cx<'_, 'a> {
    fn find_value(&mut self, id: ComponentId) -> Eval<(Value, Vec<ComponentId>)> {
        let component = &self.out.components[id];
        let name = component.name;
        if component.variability > Variability::Parameter {
            return Err(Fail::new(format!("`{name}` changes during the simulation")));
        }
        if self.info(id).bound == Progress::Busy && matches!(self.info(id).raw, Progress::Busy) {
            self.cyclic_value(id);
            return Err(Fail::new(""));
        }
        self.bind_value(id);
        if self.is_given_by_record(id)
            && let Some(found) = self.value_in_parent(id)
        {
            return found;
        }
        let component = &self.out.components[id];
        if let Some(binding) = component.binding.clone() {
            let ty = binding.ty.clone();
            let value = eval(self, &binding.exp, &mut Frame::default())?;
            return Ok((cast(value, &ty), binding.indexed_by));
        }
        if self
            .info(id)
            .mods
            .as_ref()
            .is_some_and(|mods| mods.value.is_some_and(|value| value.exp.is_some()))
        {
            return Err(Fail::new(""));
        }
        if let Some(found) = self.value_in_parent(id) {
            return found;
        }
        if matches!(self.out.components[id].ty, Type::Record(_)) {
            return self.record_value(id);
        }
        // Without a value of its own, a parameter has its start value.
        self.bind_own_attributes(id);
        if let Some(binding) = self.out.components[id].binding.clone() {
            let value = eval(self, &binding.exp, &mut Frame::default())?;
            return Ok((cast(value, &binding.ty), binding.indexed_by));
        }
        self.start_value(id, name)
    }

    /// Whether the value of a field comes from the value of a record around it. That is so where the field has none of
    /// its own, and where its own was given further inside or beside the record's: an outer modifier wins over an inner
    /// one (Modelica 3.6 §7.2.4), and a value of the whole replaces those of the parts.
    pub(crate) fn is_given_by_record(&self, id: ComponentId) -> bool {
        let own = self.info(id).mods.as_ref().and_then(|mods| mods.value);
        let Some(own) = own.filter(|own| own.at != crate::cx::ALIAS) else {
            return own.is_some();
        };
        let mut at = self.out.components[id].parent;
        while let Some(record) = at
            && crate::component::is_value_kind(self.out.components[record].kind)
        {
            let value = self.info(record).mods.as_ref().and_then(|mods| mods.value);
            if let Some(value) = value.filter(|value| value.exp.is_some()) {
                return value.at != crate::cx::ALIAS && !self.is_further_out(own.at, value.at);
            }
            at = self.out.components[record].parent;
        }
        false
    }

    /// Whether class `a` is outside class `b`: a component of `a` contains `b`, or `a` extends `b`.
    fn is_further_out(&self, a: crate::node::NodeId, b: crate::node::NodeId) -> bool {
        let (outer, mut inner) = (self.node(a).owner, self.node(b).owner);
        if outer == inner {
            let mut derived = self.node(b).derived;
            while let Some(node) = derived {
                if node == a {
                    return true;
                }
                derived = self.node(node).derived;
            }
            return false;
        }
        while let Some(elem) = inner {
            inner = self.node(self.elem(elem).node).owner;
            if inner == outer {
                return true;
            }
        }
        false
    }

    /// A field of a record that has a value as a whole.
    fn value_in_parent(&mut self, id: ComponentId) -> Option<Eval<(Value, Vec<ComponentId>)>> {
        let component = &self.out.components[id];
        let (name, parent) = (component.name, component.parent?);
        if !crate::component::is_value_kind(self.out.components[parent].kind) {
            return None;
        }
        let given = self.is_given_by_record(parent);
        if !given && let Some(value) = self.written_field(parent, name) {
            return Some(Ok((value, Vec::new())));
        }
        let own = if given {
            None
        } else {
            self.raw_binding(parent)
        };
        let Some((typed, value)) = own else {
            let found = self.value_in_parent(parent)?;
            return Some(found.and_then(|(value, mut chain)| {
                self.selects(parent, &mut chain);
                Ok((field(&value, name)?, chain))
            }));
        };
        let mut chain = self.index_chain(parent, false, &value);
        self.selects(parent, &mut chain);
        // Only the field is asked for; the others may have no value, or need this one.
        if let Some(exp) = self.field_of(&typed.exp, name) {
            let value = eval(self, &exp, &mut Frame::default());
            return Some(value.map(|value| (value, chain)));
        }
        let whole = eval(self, &typed.exp, &mut Frame::default());
        if let (Err(_), Exp::Call(call)) = (&whole, &typed.exp)
            && let Some(value) = super::interpret::declared_field(self, call, name)
        {
            return Some(Ok((value, chain)));
        }
        Some(whole.and_then(|value| Ok((field(&value, name)?, chain))))
    }

    /// Where a record is an array, its element says which part of a value of the whole is meant.
    fn selects(&mut self, record: ComponentId, chain: &mut Vec<ComponentId>) {
        if !self.info(record).dims.is_empty() {
            self.type_component(record);
            chain.push(record);
        }
    }

    /// The value that a record constructor names for a field, `R(n = 3, x = v)`: while the type of the whole is still being
    /// found, the other arguments may need this one, as where `v` has the size `n`.
    fn written_field(&mut self, record: ComponentId, field: modeshift_base::Name) -> Option<Value> {
        if matches!(self.info(record).raw, Progress::Done(_)) || !self.info(record).dims.is_empty()
        {
            return None;
        }
        let value = self.info(record).mods.as_ref()?.value?;
        let ExprKind::Call { function, args } = &value.exp?.kind else {
            return None;
        };
        let argument = args.named.iter().find(|it| it.name.name == field)?;
        if !self.index_chain(record, false, &value).is_empty() {
            return None;
        }
        self.quietly(|cx| {
            let mut env = crate::typing::Env::new(value.scope, value.text);
            let class = cx.lookup_function(function, &mut env)?;
            let node = cx.class_node(class)?;
            if cx.node(node).def.kind() != ClassKind::Record {
                return None;
            }
            let typed = cx.type_exp(&argument.value, &mut env);
            eval(cx, &typed.exp, &mut Frame::default()).ok()
        })
        .0
    }

    /// The expression of a field of a record that is told by its fields or by name.
    fn field_of(&mut self, exp: &Exp, name: modeshift_base::Name) -> Option<Exp> {
        match exp {
            Exp::Record(Type::Record(record), fields) => {
                let at = record.fields.iter().position(|(field, _)| *field == name)?;
                fields.get(at).cloned()
            }
            Exp::Ref(cref) => {
                let node = self.info(cref.component()?).node?;
                let elem = self.lookup_member(node, name)?;
                let component = self.component(elem)?;
                let mut dims = cref.ty.dims().to_vec();
                let own = self.full_type(component);
                dims.extend(own.dims().iter().cloned());
                let mut parts = cref.parts.clone();
                parts.push(crate::exp::CrefPart {
                    component,
                    subscripts: Vec::new(),
                });
                let ty = Type::array(own.element().clone(), dims);
                Some(Exp::Ref(Cref { parts, ty }))
            }
            Exp::Array(elements, ty) => {
                let Type::Record(record) = ty.element() else {
                    return None;
                };
                let own = &record.fields.iter().find(|(field, _)| *field == name)?.1;
                let dims = [ty.dims(), own.dims()].concat();
                let ty = Type::array(own.element().clone(), dims);
                let fields = elements.iter().map(|it| self.field_of(it, name));
                Some(Exp::Array(fields.collect::<Option<_>>()?, ty))
            }
            _ => None,
        }
    }

    /// A record whose fields have values of their own.
    fn record_value(&mut self, id: ComponentId) -> Eval<(Value, Vec<ComponentId>)> {
        self.type_component(id);
        let Some(node) = self.info(id).node else {
            return Err(Fail::new("no value"));
        };
        let Type::Record(record) = self.out.components[id].ty.clone() else {
            return Err(Fail::new("no value"));
        };
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        let mut fields = Vec::with_capacity(elems.len());
        let mut by_element = Vec::new();
        for elem in elems {
            let Some(field) = self.component(elem) else {
                return Err(Fail::new(""));
            };
            let (value, chain) = self.value_of(field)?;
            match chain.as_slice() {
                [] => by_element.push(false),
                [array] if *array == id && self.out.components[id].dims.len() == 1 => {
                    by_element.push(true);
                }
                [array, ..] => {
                    self.differing = Some(*array);
                    return Err(Fail::new("elements of an array of records that differ"));
                }
            }
            fields.push(value);
        }
        if by_element.contains(&true) {
            return array_of_records(&record, &fields, &by_element)
                .map(|value| (value, Vec::new()));
        }
        let types = record
            .fields
            .iter()
            .zip(&fields)
            .map(|((name, _), value)| (*name, value.ty()))
            .collect();
        let record = Arc::new(RecordType {
            path: record.path.clone(),
            fields: types,
        });
        let mut value = Value::Record(record, Arc::new(fields));
        for dim in self.out.components[id].dims.clone().into_iter().rev() {
            let size = dim
                .known()
                .ok_or_else(|| Fail::new("a size that is not known"))?;
            value = Value::array(vec![value; size as usize], &Type::Unknown);
        }
        Ok((value, Vec::new()))
    }

    /// A parameter without a value uses its start value.
    fn start_value(
        &mut self,
        id: ComponentId,
        name: modeshift_base::Name,
    ) -> Eval<(Value, Vec<ComponentId>)> {
        let component = &self.out.components[id];
        let start = component
            .attributes
            .iter()
            .find(|attribute| attribute.name == self.names.start);
        let what = component.variability.describe();
        let Some(start) = start
            .map(|start| start.binding.clone())
            .filter(|_| component.variability == Variability::Parameter)
        else {
            let fail = Fail::lacking(format!("{what} `{name}` has no value"));
            // A constant of a package may get its value where the package is extended: who uses it is to blame.
            let home = self.elem(self.info(id).elem).node;
            let in_package = self.node(home).def.kind() == ClassKind::Package;
            return Err(match component.variability {
                Variability::Constant if !in_package => fail.at(component.place),
                _ => fail,
            });
        };
        let dims = component.dims.clone();
        let mut value = eval(self, &start.exp, &mut Frame::default())?;
        if start.indexed_by.is_empty() {
            for dim in dims.into_iter().rev() {
                let size = dim
                    .known()
                    .ok_or_else(|| Fail::new("a size that is not known"))?;
                value = Value::array(vec![value; size as usize], &Type::Unknown);
            }
        }
        Ok((
            value,
            start
                .indexed_by
                .into_iter()
                .filter(|array| *array != id)
                .collect(),
        ))
    }

    /// The value, without any message when there is none.
    pub(crate) fn eval_quiet(&mut self, exp: &Exp) -> Option<Value> {
        self.quietly(|cx| eval(cx, exp, &mut Frame::default()).ok())
            .0
    }

    pub(crate) fn eval_bool_quiet(&mut self, exp: &Exp) -> Option<bool> {
        match self.eval_quiet(exp)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of something that decides the structure of the model; parameters in it become structural.
    pub(crate) fn eval_structural(&mut self, exp: &Exp, place: Place) -> Option<Value> {
        match eval(self, exp, &mut Frame::default()) {
            Ok(value) => {
                self.mark_structural(exp);
                Some(value)
            }
            Err(fail) => {
                self.cannot_evaluate(&fail, place);
                None
            }
        }
    }

    pub(crate) fn eval_structural_bool(&mut self, exp: &Exp) -> Option<bool> {
        let value = self.eval_bool_quiet(exp)?;
        self.mark_structural(exp);
        Some(value)
    }

    /// The value of a reference to a constant.
    pub(crate) fn eval_constant(&mut self, exp: &Exp, place: Place) -> Option<Exp> {
        let has_iterator = crate::exp::has_iterator(exp);
        if has_iterator {
            return self.constant_with_open_subscripts(exp);
        }
        match eval(self, exp, &mut Frame::default()) {
            Ok(value) => Some(value.to_exp()),
            // What another language computes is computed when the model runs.
            Err(Fail { reason, .. }) if reason.ends_with(FOREIGN) => self.written_value(exp),
            Err(fail) => {
                if !self.may_lack_value(exp) {
                    self.cannot_evaluate(&fail, place);
                }
                None
            }
        }
    }

    /// The expression that a constant is declared with, with the subscripts behind the constant's name.
    fn written_value(&mut self, exp: &Exp) -> Option<Exp> {
        let Exp::Ref(cref) = exp else { return None };
        let id = cref.component()?;
        let (last, outer) = cref.parts.split_last()?;
        if outer.iter().any(|part| !part.subscripts.is_empty()) {
            return None;
        }
        self.bind_component(id);
        let component = &self.out.components[id];
        let binding = component.binding.as_ref()?;
        if !binding.indexed_by.is_empty() {
            return None;
        }
        let whole = binding.exp.clone();
        if last.subscripts.is_empty() {
            return Some(whole);
        }
        let mut subscripts = last.subscripts.clone();
        subscripts.resize(component.dims.len(), Subscript::All);
        Some(Exp::Subscripted(Box::new(whole), subscripts))
    }

    /// Constants in records and functions get their values from outside.
    fn may_lack_value(&self, exp: &Exp) -> bool {
        let Exp::Ref(cref) = exp else { return false };
        cref.component().is_some_and(|id| {
            let parent = self.out.components[id].parent;
            self.info(id).in_function
                || parent.is_some_and(|parent| {
                    crate::component::is_value_kind(self.out.components[parent].kind)
                })
        })
    }

    /// `c[i]` of a constant array: its value with the subscripts left to be worked out.
    pub(crate) fn constant_with_open_subscripts(&mut self, exp: &Exp) -> Option<Exp> {
        let Exp::Ref(Cref { parts, .. }) = exp else {
            return None;
        };
        let first = parts.first()?;
        let found = self.quietly(|cx| cx.value_of(first.component)).0;
        let (mut value, chain) = match found {
            Ok(found) => found,
            Err(Fail { reason, .. }) if reason.ends_with(FOREIGN) => {
                return self.written_value(exp);
            }
            Err(_) => return None,
        };
        if !chain.is_empty() {
            return None;
        }
        // Fields come first, so that of an array of records only the array of one field is left.
        let mut subscripts = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                value = field(&value, self.out.components[part.component].name).ok()?;
            }
            subscripts.extend(part.subscripts.iter().cloned());
            subscripts.resize(value.ty().rank(), Subscript::All);
        }
        Some(Exp::Subscripted(Box::new(value.to_exp()), subscripts))
    }

    /// Parameters that decided the structure cannot be changed afterwards, nor can those they depend on.
    pub(crate) fn mark_structural(&mut self, exp: &Exp) {
        let mut found = Vec::new();
        visit_refs(exp, &mut |cref: &Cref| found.extend(cref.component()));
        for id in found {
            self.mark_component(id);
        }
    }

    pub(crate) fn mark_component(&mut self, id: ComponentId) {
        let component = &mut self.out.components[id];
        if component.variability != Variability::Parameter || self.info(id).in_function {
            return;
        }
        self.out.components[id].variability = Variability::Structural;
        if let Some(binding) = self.out.components[id].binding.clone() {
            self.mark_structural(&binding.exp);
        } else if let Some(parent) = self.out.components[id].parent
            && let Some(binding) = self.out.components[parent].binding.clone()
        {
            self.mark_structural(&binding.exp);
        }
        if let Some(node) = self.info(id).node {
            let mut elems = Vec::new();
            self.collect_components(node, &mut elems);
            for elem in elems {
                if let Some(field) = self.component(elem) {
                    self.mark_component(field);
                }
            }
        }
    }
}

/// An array of records some of whose fields differ from element to element.
fn array_of_records(record: &RecordType, fields: &[Value], by_element: &[bool]) -> Eval {
    let differing = fields.iter().zip(by_element).find(|(_, by)| **by);
    let count = differing
        .and_then(|(value, _)| value.items())
        .map_or(0, <[Value]>::len);
    let mut items = Vec::with_capacity(count);
    for at in 0..count {
        let mut own = Vec::with_capacity(fields.len());
        for (value, by) in fields.iter().zip(by_element) {
            own.push(match (by, value.items()) {
                (true, Some(items)) => (items.get(at).cloned())
                    .ok_or_else(|| Fail::new("arrays of different sizes"))?,
                _ => value.clone(),
            });
        }
        let types = (record.fields.iter().zip(&own))
            .map(|((name, _), value)| (*name, value.ty()))
            .collect();
        let ty = Arc::new(RecordType {
            path: record.path.clone(),
            fields: types,
        });
        items.push(Value::Record(ty, Arc::new(own)));
    }
    Ok(Value::array(items, &Type::Unknown))
}
