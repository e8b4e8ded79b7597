//! Types, dimensions, bindings and attributes of components, each worked out when first needed.

use super::discrete::assigned_as_a_whole;
use super::{Env, Typed, fit};
use crate::cx::{ALIAS, Cx, DimSource};
use crate::exp::Exp;
use crate::modifier::ModValue;
use crate::node::Progress;
use crate::tree::{Binding, ComponentId};
use crate::ty::{Causality, Dim, RecordType, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_syntax::ast::{ClassKind, Subscript};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// Works out type and dimensions of a component.
    pub(crate) fn type_component(&mut self, id: ComponentId) {
        match self.info(id).typed {
            Progress::Done(()) => return,
            Progress::Busy => {
                if !self.info(id).dims.is_empty() && self.out.components[id].dims.is_empty() {
                    let component = &self.out.components[id];
                    let (name, place) = (component.name, component.place);
                    let message = format!("the dimensions of `{name}` depend on themselves");
                    self.error(Code::MS2028, place, message, "circular dimensions");
                }
                return;
            }
            Progress::Todo => {}
        }
        self.info_mut(id).typed = Progress::Busy;
        let place = self.out.components[id].place;
        self.on_the_way.push(id);
        self.deeper(Some(place), |cx| cx.type_component_now(id));
        self.on_the_way.pop();
        self.info_mut(id).typed = Progress::Done(());
    }

    fn type_component_now(&mut self, id: ComponentId) {
        // Dimensions come first: values of fields are indexed by those of the record they are in.
        self.type_dims(id);
        // A record that is outer has the fields of the inner one, whose class says more.
        if let Some(inner) = self.out.components[id].outer
            && let Type::Record(own) = self.out.components[id].ty.clone()
            && crate::component::is_value_kind(self.out.components[id].kind)
        {
            self.type_component(inner);
            if let Type::Record(record) = &self.out.components[inner].ty {
                let fields = record.fields.clone();
                let path = own.path.clone();
                self.out.components[id].ty = Type::Record(Arc::new(RecordType { path, fields }));
                return;
            }
        }
        if let Type::Record(record) = &self.out.components[id].ty
            && crate::component::is_value_kind(self.out.components[id].kind)
            && self.out.components[id].kind != ClassKind::ExpandableConnector
            && let Some(node) = self.info(id).node
        {
            let path = record.path.clone();
            let mut elems = Vec::new();
            self.collect_components(node, &mut elems);
            let mut fields = Vec::with_capacity(elems.len());
            for elem in elems {
                let name = self.elem(elem).name;
                if let Some(field) = self.component(elem) {
                    self.type_component(field);
                    let field = &self.out.components[field];
                    fields.push((name, Type::array(field.ty.clone(), field.dims.clone())));
                }
            }
            self.out.components[id].ty = Type::Record(Arc::new(RecordType { path, fields }));
        }
    }

    /// The dimensions of a component alone.
    pub(crate) fn type_dims(&mut self, id: ComponentId) {
        let sources = self.info(id).dims.clone();
        self.out.components[id].dims.clear();
        for (index, source) in sources.iter().enumerate() {
            // One by one: in `A[:, size(A, 1)]` a dimension is given by those before it.
            let dim = self.dim(id, source, index);
            self.out.components[id].dims.push(dim);
        }
    }

    fn dim(&mut self, id: ComponentId, source: &DimSource<'a>, index: usize) -> Dim {
        let in_function = self.info(id).in_function;
        let exp = match source.subscript {
            Subscript::All(span) => {
                if in_function {
                    return self.flexible_dim(id, index);
                }
                // What an outer component is, the inner one says (Modelica 3.6 §5.4).
                if let Some(inner) = self.out.components[id].outer {
                    self.type_component(inner);
                    if let Some(dim) = self.out.components[inner].dims.get(index) {
                        return dim.clone();
                    }
                }
                let found = self.dim_from_binding(id, index);
                if let Some(Dim::Flexible(_)) = found
                    && self.out.components[id].variability > Variability::Parameter
                {
                    if let Some(dim) = self.dim_from_value(id, index) {
                        return dim;
                    }
                    let name = self.out.components[id].name;
                    let place = self.place(source.text, *span);
                    let message = format!(
                        "the size of `{name}` is not known: it does not follow from its value"
                    );
                    let label = "`:` takes the size from the binding";
                    self.error(Code::MS2040, place, message, label);
                }
                return found.unwrap_or_else(|| {
                    let name = self.out.components[id].name;
                    if self.out.components[id].added
                        || self
                            .info(id)
                            .mods
                            .as_ref()
                            .is_some_and(|mods| mods.value.is_some())
                    {
                        return Dim::Flexible(None);
                    }
                    let place = self.place(source.text, *span);
                    let message = format!(
                        "the size of `{name}` is not known: there is no value to take it from"
                    );
                    self.error(
                        Code::MS2040,
                        place,
                        message,
                        "`:` takes the size from the binding",
                    );
                    Dim::Flexible(None)
                });
            }
            Subscript::Expr(exp) => exp,
        };
        let mut env = Env::new(source.scope, source.text);
        env.function = in_function;
        let typed = self.type_exp(exp, &mut env);
        let place = env.place(exp.span);
        match (&typed.exp, &typed.ty) {
            (Exp::TypeRange(dim), _) => return dim.clone(),
            (_, Type::Unknown) => return Dim::Flexible(None),
            (_, Type::Integer) => {}
            (exp, ty) => {
                let mut diagnostic = Diagnostic::new(
                    Code::MS2040,
                    format!("a dimension must be an Integer, but this is {ty}"),
                )
                .label(place, format!("this is {ty}"));
                if let Exp::Ref(cref) = exp
                    && let Some(only) = cref.component()
                {
                    let component = &self.out.components[only];
                    diagnostic = diagnostic.label(
                        component.place,
                        format!("declare `{}` as Integer", component.name),
                    );
                    if self.quiet == 0 {
                        // What else reads it follows.
                        self.out.components[only].ty = Type::Unknown;
                    }
                }
                self.report(diagnostic);
                return Dim::Flexible(None);
            }
        }
        if in_function && typed.var > Variability::Structural {
            return Dim::Flexible(Some(Box::new(typed.exp)));
        }
        if typed.var > Variability::Parameter {
            self.error(
                Code::MS2025,
                place,
                "a dimension must be known before the simulation: it must be a constant or parameter expression",
                format!("this is {}", typed.var.describe()),
            );
            return Dim::Flexible(None);
        }
        if in_function && self.eval_quiet(&typed.exp).is_none() {
            return Dim::Flexible(Some(Box::new(typed.exp)));
        }
        match self.eval_structural(&typed.exp, place) {
            Some(crate::ceval::Value::Int(size)) if size >= 0 => Dim::Known(size),
            Some(crate::ceval::Value::Int(size)) => {
                self.error(
                    Code::MS2040,
                    place,
                    format!("a dimension cannot be negative, but this is {size}"),
                    format!("this is {size}"),
                );
                Dim::Flexible(None)
            }
            _ => Dim::Flexible(None),
        }
    }

    /// `:` in a function: known if it has a value of known size, like a protected variable that keeps it.
    fn flexible_dim(&mut self, id: ComponentId, index: usize) -> Dim {
        let component = &self.out.components[id];
        // What is given when the function, or the constructor of the record, is called may have any size.
        let home = self.derived_most(self.elem(self.info(id).elem).node);
        let field = self.node(home).owner.is_none()
            && matches!(
                self.node(home).def.kind(),
                ClassKind::Record | ClassKind::OperatorRecord
            );
        // The fields of an output may be declared with values: `output R r(x = {1, 2})`.
        let field_of_output =
            component.parent.is_some() && component.causality == Some(Causality::Output);
        if component.causality.is_some() && !field_of_output || field && !component.final_ {
            return Dim::Flexible(None);
        }
        let name = component.name;
        match self.dim_from_binding(id, index) {
            Some(dim @ Dim::Known(_)) => {
                let body = self.node(home).def.body();
                match body.is_some_and(|it| assigned_as_a_whole(&it.sections, name)) {
                    true => Dim::Flexible(None),
                    false => dim,
                }
            }
            // The arguments say it: `output R r(x = fill(0, size(u, 1)))`.
            _ if field_of_output => self.open_dim(id, index).unwrap_or(Dim::Flexible(None)),
            _ => Dim::Flexible(None),
        }
    }

    /// The size of the value that is given in a declaration, as an expression.
    fn open_dim(&mut self, id: ComponentId, index: usize) -> Option<Dim> {
        let (typed, value) = self.raw_binding(id)?;
        let single = self.index_chain(id, false, &value).is_empty();
        let mut dims = super::call::open_dims(&typed.exp, typed.ty.dims()).into_iter();
        dims.nth(index).filter(|_| single)
    }

    /// The size that the binding has in the place of a `:`.
    fn dim_from_binding(&mut self, id: ComponentId, index: usize) -> Option<Dim> {
        // A value of the whole record replaces what its fields are declared with.
        if self.is_given_by_record(id)
            && let Some(dim @ Dim::Known(_)) = self.dim_from_record(id, index)
        {
            return Some(dim);
        }
        if let Some((typed, value)) = self.raw_binding(id) {
            let chain = self.index_chain(id, false, &value);
            let skip: usize = chain
                .iter()
                .map(|it| self.out.components[*it].dims.len())
                .sum();
            return typed.ty.dims().get(skip + index).cloned();
        }
        if let Some(dim) = self.dim_from_start(id, index) {
            return Some(dim);
        }
        self.dim_from_record(id, index)
    }

    /// The size that the binding has once it is evaluated.
    fn dim_from_value(&mut self, id: ComponentId, index: usize) -> Option<Dim> {
        let (typed, value) = self.raw_binding(id)?;
        if typed.var > Variability::Parameter || !self.index_chain(id, false, &value).is_empty() {
            return None;
        }
        self.evaluated_dim(&typed.exp, index)
    }

    /// A field takes its size from the value of the record.
    fn dim_from_record(&mut self, id: ComponentId, index: usize) -> Option<Dim> {
        self.type_in_record(id)?.dims().get(index).cloned()
    }

    /// The type that a field has in the value of the record it belongs to, or of one further out.
    fn type_in_record(&mut self, id: ComponentId) -> Option<Type> {
        let parent = self.out.components[id].parent?;
        if !crate::component::is_value_kind(self.out.components[parent].kind) {
            return None;
        }
        let name = self.out.components[id].name;
        if !self.is_given_by_record(parent)
            && let Some((typed, value)) = self.raw_binding(parent)
        {
            if fields_differ(&typed.exp, name) {
                // Each element has its own size.
                let array = match self.info(parent).dims.is_empty() {
                    true => self.index_chain(parent, false, &value).last().copied(),
                    false => Some(parent),
                };
                if !array.is_some_and(|array| self.needs_split(array)) {
                    let what = "arrays of records whose fields have different sizes";
                    self.unsupported(what, value.place);
                }
                return None;
            }
            return field_type(&typed.exp, &typed.ty, name);
        }
        let whole = self.type_in_record(parent)?;
        field_type(&Exp::Error, &whole, name)
    }

    /// Without a value, the size of the start values.
    fn dim_from_start(&mut self, id: ComponentId, index: usize) -> Option<Dim> {
        let start = self.names.start;
        let value = self.info(id).mods.as_ref()?.sub(start)?.value?;
        let exp = value.exp?;
        if value.each.is_some() || value.at == ALIAS {
            return None;
        }
        let typed = self.type_exp(exp, &mut Env::new(value.scope, value.text));
        let typed = self.of_element(id, true, &value, typed);
        let chain = self.index_chain(id, false, &value);
        let skip: usize = chain
            .iter()
            .map(|it| self.out.components[*it].dims.len())
            .sum();
        match typed.ty.dims().get(skip + index)? {
            Dim::Flexible(_) if skip == 0 && typed.var <= Variability::Parameter => {
                self.evaluated_dim(&typed.exp, index)
            }
            dim => Some(dim.clone()),
        }
    }

    /// The size of a value that has to be computed to know it.
    fn evaluated_dim(&mut self, exp: &Exp, index: usize) -> Option<Dim> {
        let found = self.eval_quiet(exp)?;
        self.mark_structural(exp);
        found.ty().dims().get(index).cloned()
    }

    /// The value given to a component, typed in the scope it was written in but not yet matched to the component.
    pub(crate) fn raw_binding(&mut self, id: ComponentId) -> Option<(Arc<Typed>, ModValue<'a>)> {
        let value = self.info(id).mods.as_ref()?.value?;
        let exp = value.exp?;
        match &self.info(id).raw {
            Progress::Done(typed) => return Some((typed.clone(), value)),
            Progress::Busy => return None,
            Progress::Todo => {}
        }
        self.info_mut(id).raw = Progress::Busy;
        let in_function = self.info(id).in_function;
        let constants = self.out.unit_constants.len();
        let typed = self.deeper(Some(value.place), |cx| {
            let mut env = Env::new(value.scope, value.text);
            env.function = in_function;
            env.conditional = cx.is_under_condition(id);
            env.wanted = cx.enumeration_of(id);
            let typed = super::operator::first_output(cx.type_exp(exp, &mut env));
            let typed = cx.of_element(id, false, &value, typed);
            match cx.is_value(&typed, value.place) {
                true => typed,
                false => Typed::error(),
            }
        });
        if self.out.unit_constants.len() > constants {
            // The value may be given far from the declaration, which is what units are compared with.
            let declared = self.out.components[id].place;
            self.out.unit_constants.push(declared);
        }
        let typed = Arc::new(typed.unwrap_or_else(Typed::error));
        self.info_mut(id).raw = Progress::Done(typed.clone());
        Some((typed, value))
    }

    /// Whether the component, or one that it is part of, exists under a condition.
    fn is_under_condition(&self, id: ComponentId) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            if self.info(id).has_condition {
                return true;
            }
            at = self.out.components[id].parent;
        }
        false
    }

    /// The enumeration that a component is of, to help with literals whose type is not written.
    fn enumeration_of(&mut self, id: ComponentId) -> Option<Type> {
        let ty = &self.out.components[id].ty;
        matches!(ty, Type::Enumeration(_)).then(|| ty.clone())
    }

    /// The array components between where a modifier was applied and its target, outermost first.
    pub(crate) fn index_chain(
        &mut self,
        id: ComponentId,
        attribute: bool,
        value: &ModValue<'a>,
    ) -> Vec<ComponentId> {
        if value.at == ALIAS {
            return Vec::new();
        }
        let stop = self
            .node(value.at)
            .owner
            .and_then(|owner| self.component(owner));
        let mut chain = Vec::new();
        let mut at = if attribute {
            Some(id)
        } else {
            self.out.components[id].parent
        };
        let mut count = 0;
        while let Some(component) = at {
            if Some(component) == stop || value.each.is_some_and(|each| count >= each) {
                break;
            }
            count += 1;
            if !self.info(component).dims.is_empty() {
                self.type_component(component);
                chain.push(component);
            }
            at = self.out.components[component].parent;
        }
        chain.reverse();
        chain
    }

    /// Types binding and attributes of a component and checks them against it.
    pub(crate) fn bind_component(&mut self, id: ComponentId) {
        self.bind_value(id);
        self.bind_own_attributes(id);
    }

    /// The binding alone: an attribute of the type may read the very constant that is bound.
    pub(crate) fn bind_value(&mut self, id: ComponentId) {
        if self.info(id).bound != Progress::Todo {
            return;
        }
        self.info_mut(id).bound = Progress::Busy;
        self.on_the_way.push(id);
        self.type_component(id);
        let replaced = self.is_given_by_record(id) && self.type_in_record(id).is_some();
        if !replaced && let Some((typed, value)) = self.raw_binding(id) {
            let binding = self.checked_binding(id, &typed, &value);
            self.out.components[id].binding = binding;
        }
        self.on_the_way.pop();
        self.info_mut(id).bound = Progress::Done(());
    }

    pub(crate) fn bind_own_attributes(&mut self, id: ComponentId) {
        if self.info(id).attributed != Progress::Todo || self.info(id).node.is_some() {
            return;
        }
        self.info_mut(id).attributed = Progress::Busy;
        self.bind_attributes(id);
        self.start_as_binding(id);
        self.info_mut(id).attributed = Progress::Done(());
    }

    fn checked_binding(
        &mut self,
        id: ComponentId,
        typed: &Typed,
        value: &ModValue<'a>,
    ) -> Option<Binding> {
        let component = &self.out.components[id];
        let own = Type::array(component.ty.clone(), component.dims.clone());
        if typed.is_error() && !matches!(typed.exp, Exp::Array(..)) || own.is_unknown() {
            return None;
        }
        let kind = component.kind;
        if matches!(component.ty, Type::Record(_)) && !crate::component::is_value_kind(kind) {
            let diagnostic = Diagnostic::new(
                Code::MS2020,
                format!(
                    "`{}` is a {} and cannot have a value",
                    component.name,
                    kind.as_str()
                ),
            )
            .label(value.place, "a value")
            .label(component.place, "declared here");
            self.report(diagnostic);
            return None;
        }
        if component.discrete
            && component.ty == Type::Real
            && component.variability == Variability::Discrete
            && !self.info(id).in_function
            && !matches!(self.out.components[id].causality, Some(Causality::Input))
        {
            let name = self.out.components[id].name;
            let diagnostic = Diagnostic::new(
                Code::MS2025,
                format!("`{name}` is declared `discrete`, but given a value by its declaration"),
            )
            .label(value.place, "an equation that always holds")
            .label(self.out.components[id].place, "declared `discrete`")
            .note("A discrete Real changes at events only: a `when` gives it its value.");
            self.report(diagnostic);
        }
        if let Some(modifier) = self.info(id).mods.clone() {
            self.check_each(id, false, &modifier, value);
        }
        let chain = self.index_chain(id, false, value);
        let mut dims: Vec<Dim> = Vec::new();
        for &array in &chain {
            dims.extend(self.out.components[array].dims.iter().cloned());
        }
        let mut chain = chain;
        let wanted = Type::array(own.clone(), dims.clone());
        let exp = match fit(typed.exp.clone(), &typed.ty, &wanted) {
            Some(exp) => exp,
            None => {
                let fits_one = fit(typed.exp.clone(), &typed.ty, &own);
                match fits_one {
                    Some(exp) if !chain.is_empty() && self.is_record_default(id, value) => {
                        chain.clear();
                        exp
                    }
                    _ => {
                        self.wrong_binding(id, typed, value, &wanted, &chain, fits_one.is_some());
                        return None;
                    }
                }
            }
        };
        self.check_binding_variability(id, typed, value);
        Some(Binding {
            exp,
            ty: wanted,
            variability: typed.var,
            given: None,
            indexed_by: chain,
            each: value.each.is_some(),
            only_start: false,
            final_: value.final_,
            place: value.place,
        })
    }

    fn is_record_default(&self, _id: ComponentId, value: &ModValue<'a>) -> bool {
        value.each.is_some()
    }

    fn wrong_binding(
        &mut self,
        id: ComponentId,
        typed: &Typed,
        value: &ModValue<'a>,
        wanted: &Type,
        chain: &[ComponentId],
        fits_one: bool,
    ) {
        let component = &self.out.components[id];
        let (name, place) = (component.name, component.place);
        if fits_one && let Some(&array) = chain.last() {
            let array_name = self.out.components[array].name;
            let diagnostic = Diagnostic::new(
                Code::MS2030,
                format!("`{array_name}` is an array, so `{name}` needs a value for each element, or `each`"),
            )
            .label(value.place, format!("this is {}, but {wanted} is needed", typed.ty))
            .label(place, "declared here")
            .label(self.out.components[array].place, "an array")
            .note("`each` gives the same value to all elements");
            // In the modifier of the array itself, `each` belongs before this name.
            let direct = self.out.components[id].parent == Some(array);
            let modifier = self
                .info(id)
                .mods
                .clone()
                .filter(|it| direct && it.begins_with_name());
            self.report(match modifier {
                Some(modifier) => diagnostic.fix(
                    "insert `each`",
                    vec![Edit {
                        at: modifier.place.start(),
                        text: "each ".into(),
                    }],
                ),
                None => diagnostic,
            });
            return;
        }
        if typed.ty == Type::NoReturn {
            self.no_result(typed, value.place);
            return;
        }
        let code = if typed.ty.element() == wanted.element()
            || typed.ty.is_numeric() && *wanted.element() == Type::Real
        {
            Code::MS2024
        } else {
            Code::MS2020
        };
        let mut diagnostic = Diagnostic::new(
            code,
            format!("`{name}` is {wanted}, but its value is {}", typed.ty),
        )
        .label(value.place, format!("this is {}", typed.ty));
        diagnostic
            .notes
            .extend(super::mismatch::conversion(wanted, &typed.ty));
        if place != value.place {
            diagnostic = diagnostic.label(place, format!("`{name}` is {wanted}"));
        }
        if let (Type::Record(record), true) = (wanted, typed.ty.is_array()) {
            let path = &record.path;
            diagnostic = diagnostic.note(format!(
                "a record is not an array: write `{}(…)` with a value for each field",
                path.rsplit('.').next().unwrap_or(path)
            ));
        }
        let sizes: Option<Vec<String>> = wanted
            .dims()
            .iter()
            .map(|dim| Some(dim.known()?.to_string()))
            .collect();
        let scalar = !typed.ty.is_array()
            && (typed.ty == *wanted.element()
                || typed.ty.is_numeric() && *wanted.element() == Type::Real);
        // A vector whose length its value decides: coefficients, tables of one value.
        if scalar && sizes.is_none() && wanted.rank() == 1 && value.exp.is_some() {
            let (start, end) = (value.place.start(), value.place.end());
            diagnostic = diagnostic
                .note("a scalar is not a vector: braces make a vector with one element of it")
                .fix(
                    "write `{…}`",
                    vec![
                        Edit {
                            at: start,
                            text: "{".into(),
                        },
                        Edit {
                            at: end,
                            text: "}".into(),
                        },
                    ],
                );
        }
        if let Some(sizes) = sizes.filter(|_| scalar && value.exp.is_some() && chain.is_empty()) {
            let (start, end) = (value.place.start(), value.place.end());
            diagnostic = diagnostic
                .note("a scalar is not an array: `fill` makes an array of equal elements")
                .fix(
                    "write `fill(…)`",
                    vec![
                        Edit {
                            at: start,
                            text: "fill(".into(),
                        },
                        Edit {
                            at: end,
                            text: format!(", {})", sizes.join(", ")),
                        },
                    ],
                );
        }
        self.report(diagnostic);
    }

    fn check_binding_variability(&mut self, id: ComponentId, typed: &Typed, value: &ModValue<'a>) {
        let component = &self.out.components[id];
        if self.info(id).in_function || matches!(component.ty, Type::External(_)) {
            return;
        }
        let allowed = match component.variability {
            Variability::Structural => Variability::Parameter,
            other => other,
        };
        let discrete = component.ty.is_discrete()
            && !component.ty.is_record()
            && typed.var == Variability::Continuous;
        if !discrete && (typed.var <= allowed || allowed >= Variability::Discrete) {
            return;
        }
        let (name, place) = (component.name, component.place);
        let diagnostic = Diagnostic::new(
            Code::MS2025,
            format!(
                "`{name}` is a {}{} and cannot depend on something {}",
                allowed.describe(),
                match allowed {
                    Variability::Discrete => " variable",
                    _ => "",
                },
                typed.var.describe()
            ),
        )
        .label(value.place, format!("this is {}", typed.var.describe()))
        .label(place, format!("declared as {}", allowed.describe()));
        let diagnostic = match allowed {
            Variability::Parameter if value.place.file == place.file => diagnostic.note(format!(
                "declare `{name}` without `parameter` if it is to change during the simulation"
            )),
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    /// The condition of a component, evaluated; true where there is none.
    pub(crate) fn is_absent(&mut self, id: ComponentId) -> bool {
        if !self.info(id).has_condition {
            return self.out.components[id].absent;
        }
        match self.info(id).absent {
            Progress::Done(absent) => return absent,
            Progress::Busy => return false,
            Progress::Todo => {}
        }
        self.info_mut(id).absent = Progress::Busy;
        let absent = self
            .eval_condition(id)
            .map(|present| !present)
            .unwrap_or(false);
        self.info_mut(id).absent = Progress::Done(absent);
        self.out.components[id].absent = absent;
        absent
    }

    fn eval_condition(&mut self, id: ComponentId) -> Option<bool> {
        let condition = self.elem(self.info(id).elem).component()?.condition?;
        let mut env = Env::new(condition.scope, condition.text);
        let condition = condition.exp;
        let typed = self.type_condition(condition, "a conditional component", &mut env);
        if typed.is_error() {
            return None;
        }
        let place = env.place(condition.span);
        if typed.var > Variability::Parameter {
            let name = self.out.components[id].name;
            let diagnostic = Diagnostic::new(
                Code::MS2017,
                format!("whether `{name}` exists must be known before the simulation"),
            )
            .label(place, format!("this condition is {}", typed.var.describe()))
            .note("The condition of a component must be a constant or parameter expression.");
            self.report(diagnostic);
            return None;
        }
        match self.eval_structural(&typed.exp, place)? {
            crate::ceval::Value::Bool(value) => Some(value),
            _ => None,
        }
    }
}

/// The type of a field of a record value, as exactly as the expression tells: a constructor says how large its
/// arguments are, the type of the record may leave it open.
fn field_type(exp: &Exp, ty: &Type, name: Name) -> Option<Type> {
    match exp {
        Exp::Array(items, _) => field_type(items.first()?, ty, name),
        Exp::Ref(cref) if cref.ty.element().is_record() => {
            let Type::Record(record) = cref.ty.element() else {
                return None;
            };
            let found = record.fields.iter().find(|(field, _)| *field == name);
            found.map(|(_, ty)| ty.clone())
        }
        Exp::Record(Type::Record(record), values) => {
            let at = record.fields.iter().position(|(field, _)| *field == name)?;
            let known = match values.get(at) {
                Some(Exp::Array(_, ty) | Exp::Record(ty, _)) => Some(ty.clone()),
                Some(Exp::Ref(cref)) => Some(cref.ty.clone()),
                Some(Exp::Call(call)) => Some(call.ty.clone()),
                _ => None,
            };
            known.or_else(|| Some(record.fields[at].1.clone()))
        }
        _ => {
            let Type::Record(record) = ty.element() else {
                return None;
            };
            let found = record.fields.iter().find(|(field, _)| *field == name);
            found.map(|(_, ty)| ty.clone())
        }
    }
}

/// Whether the field has different sizes in the elements of an array of records.
fn fields_differ(exp: &Exp, name: Name) -> bool {
    let Exp::Array(items, _) = exp else {
        return false;
    };
    let mut first: Option<Vec<Dim>> = None;
    for item in items {
        if fields_differ(item, name) {
            return true;
        }
        let Some(ty) = field_type(item, &Type::Unknown, name) else {
            continue;
        };
        let dims = ty.dims().to_vec();
        match &first {
            None => first = Some(dims),
            Some(first) => {
                let same = first.len() == dims.len()
                    && first.iter().zip(&dims).all(|(a, b)| a.compatible(b));
                if !same {
                    return true;
                }
            }
        }
    }
    false
}
