//! Arguments of calls: by position, by name, by default, and for each element of an array.

use super::call::{Arg, TypedArgs, index_by, open_dims};
use super::{Env, Typed, fit};
use crate::cx::{Cx, FunctionInfo};
use crate::exp::{BinaryOp, Exp};
use crate::tree::{ComponentId, Place};
use crate::ty::{Dim, Type, Variability};
use crate::unknown::suggest;
use modeshift_base::{FxHashMap, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::Args;
use std::sync::Arc;

/// Arguments that fit, the iterators of a call on each element, and the variability of all.
pub(crate) type Matched = (Vec<Exp>, Vec<(Dim, Name)>, Variability);

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_args(&mut self, args: &Args, env: &mut Env) -> TypedArgs {
        if !args.iterators.is_empty()
            && let Some(body) = args.positional.first()
        {
            let place = env.place(args.span);
            self.error(
                Code::MS2022,
                place,
                "only `array`, `sum`, `product`, `min` and `max` take a loop as argument",
                "a loop as argument",
            );
            let _ = body;
            return TypedArgs {
                positional: vec![Arg {
                    value: Typed::error(),
                    place,
                }],
                named: Vec::new(),
            };
        }
        let positional = args
            .positional
            .iter()
            .map(|arg| {
                let value = super::operator::first_output(self.type_exp(arg, env));
                Arg {
                    value,
                    place: env.place(arg.span),
                }
            })
            .collect();
        let named = args
            .named
            .iter()
            .map(|arg| {
                let value = super::operator::first_output(self.type_exp(&arg.value, env));
                (
                    arg.name,
                    Arg {
                        value,
                        place: env.place(arg.value.span),
                    },
                )
            })
            .collect();
        TypedArgs { positional, named }
    }

    /// The value of an input that is not given: its default, or the defaults of its fields.
    pub(crate) fn default_argument(&mut self, id: ComponentId) -> Option<Typed> {
        if let Some((typed, _)) = self.raw_binding(id) {
            return Some((*typed).clone());
        }
        let Type::Record(record) = self.full_type(id) else {
            return None;
        };
        let node = self.info(id).node?;
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        let mut fields = Vec::with_capacity(elems.len());
        for elem in elems {
            let field = self.component(elem)?;
            let typed = self.default_argument(field)?;
            let wanted = self.full_type(field);
            fields.push(fit(typed.exp, &typed.ty, &wanted)?);
        }
        let ty = Type::Record(record);
        Some(Typed::constant(Exp::Record(ty.clone(), fields), ty))
    }

    /// The default of an input, or of a field that its record settles, with the other inputs told by what is `known` of
    /// them. What it needs and is not known yet becomes known on the way.
    pub(crate) fn default_value(
        &mut self,
        info: &FunctionInfo,
        input: ComponentId,
        known: &mut FxHashMap<ComponentId, Exp>,
        on_the_way: &mut Vec<ComponentId>,
    ) -> Option<Typed> {
        let mut typed = self.default_argument(input)?;
        let mut needed = Vec::new();
        crate::exp::visit_refs(&typed.exp, &mut |cref: &crate::exp::Cref| {
            needed.extend(cref.parts.first().map(|part| part.component));
        });
        on_the_way.push(input);
        for other in needed {
            let settles = info.record.is_some() && info.locals.contains(&other);
            if known.contains_key(&other)
                || on_the_way.contains(&other)
                || !(settles || info.inputs.contains(&other))
            {
                continue;
            }
            if let Some(value) = self.default_value(info, other, known, on_the_way) {
                let wanted = self.full_type(other);
                let exp = fit(value.exp, &value.ty, &wanted).unwrap_or(Exp::Error);
                known.insert(other, exp);
            }
        }
        on_the_way.pop();
        typed.exp = crate::exp::substitute(typed.exp, known, &|id| self.out.components[id].name);
        self.choose_by_size(&mut typed);
        Some(typed)
    }

    /// Which of two values of different sizes is meant is settled now.
    fn choose_by_size(&mut self, typed: &mut Typed) {
        while let Exp::If(choice) = &typed.exp
            && let (Some(then), Some(else_)) = (sizes_of(&choice.then), sizes_of(&choice.else_))
            && then != else_
            && let Some(known) = self.eval_structural_bool(&choice.condition.clone())
        {
            let (exp, dims) = match known {
                true => (choice.then.clone(), then),
                false => (choice.else_.clone(), else_),
            };
            typed.ty = Type::array(typed.ty.element().clone(), dims);
            typed.exp = exp;
        }
    }

    /// One argument for each input: by position, by name, by default.
    pub(crate) fn fill_slots(
        &mut self,
        info: &Arc<FunctionInfo>,
        args: TypedArgs,
        place: Place,
        env: &Env,
    ) -> Option<Vec<Arg>> {
        let count = info.inputs.len();
        let mut slots: Vec<Option<Arg>> = (0..count).map(|_| None).collect();
        let given = args.positional.len();
        if given > count {
            let extra = args.positional[count].place;
            let diagnostic = Diagnostic::new(
                Code::MS2022,
                format!(
                    "`{}` has {count} input{}, but {given} argument{} given",
                    info.name,
                    if count == 1 { "" } else { "s" },
                    if given == 1 { " is" } else { "s are" }
                ),
            )
            .label(extra, "one argument too many");
            let only = (count == 1).then(|| info.inputs.first()).flatten();
            let diagnostic = match only {
                Some(&input) if self.out.components[input].dims.len() == 1 => {
                    diagnostic.note(format!(
                        "`{}` is one vector: write the elements in braces, `{{a, b}}`, or give a whole array",
                        self.out.components[input].name
                    ))
                }
                _ => diagnostic,
            };
            self.report(self.with_function_label(diagnostic, info));
            return None;
        }
        for (slot, arg) in slots.iter_mut().zip(args.positional) {
            *slot = Some(arg);
        }
        let named: Vec<Name> = args.named.iter().map(|(name, _)| name.name).collect();
        for (name, arg) in args.named {
            let index = info
                .inputs
                .iter()
                .position(|id| self.out.components[*id].name == name.name);
            let Some(index) = index else {
                let mut diagnostic = Diagnostic::new(
                    Code::MS2022,
                    format!("`{}` has no input `{}`", info.name, name.name),
                )
                .label(env.place(name.span), "no such input");
                let inputs = info.inputs.iter().map(|id| self.out.components[*id].name);
                let near = modeshift_hir::near_names(name.name.as_str(), inputs);
                let needed = self.only_needed_input(info, given, &named);
                if let Some(similar) = near.first().copied().or(needed) {
                    diagnostic = suggest(diagnostic, env.place(name.span), &[similar]);
                } else {
                    let inputs = info.inputs.iter().take(8);
                    let names = inputs.map(|id| format!("`{}`", self.out.components[*id].name));
                    let names: Vec<String> = names.collect();
                    diagnostic = diagnostic.note(match &names[..] {
                        [] => "it has no inputs".to_owned(),
                        [only] => format!("its only input is {only}"),
                        _ => format!("its inputs are {}", names.join(", ")),
                    });
                }
                self.report(self.with_function_label(diagnostic, info));
                return None;
            };
            if slots[index].is_some() {
                let message = format!("input `{}` of `{}` is given twice", name.name, info.name);
                self.error(
                    Code::MS2022,
                    env.place(name.span),
                    message,
                    "given again here",
                );
                return None;
            }
            slots[index] = Some(arg);
        }
        // A default may read any other input, those with a default of their own included.
        let mut known: FxHashMap<ComponentId, Exp> = FxHashMap::default();
        for (&input, slot) in info.inputs.iter().zip(&slots) {
            if let Some(arg) = slot {
                known.insert(input, arg.value.exp.clone());
            }
        }
        let mut filled: Vec<Arg> = Vec::with_capacity(count);
        for (&input, slot) in info.inputs.iter().zip(slots) {
            let arg = match slot {
                Some(arg) => arg,
                None => {
                    let found = self.default_value(info, input, &mut known, &mut Vec::new());
                    let Some(mut value) = found else {
                        let name = self.out.components[input].name;
                        let given: Vec<String> = info
                            .inputs
                            .iter()
                            .filter(|it| known.contains_key(*it))
                            .map(|&it| format!("`{}`", self.out.components[it].name))
                            .collect();
                        let mut diagnostic = Diagnostic::new(
                            Code::MS2022,
                            format!("`{}` is called without its input `{name}`", info.name),
                        )
                        .label(place, format!("no value for `{name}`"))
                        .label(
                            self.out.components[input].place,
                            "declared here, without a default",
                        );
                        if given.len() > 1 {
                            let note = format!("the call gives values to {}", given.join(", "));
                            diagnostic = diagnostic.note(note);
                        }
                        self.report(diagnostic);
                        return None;
                    };
                    value.var = Variability::Constant;
                    Arg { value, place }
                }
            };
            filled.push(arg);
        }
        Some(filled)
    }

    /// The only input without a default that a call gives no value, by its first arguments or by name.
    fn only_needed_input(
        &self,
        info: &FunctionInfo,
        positional: usize,
        named: &[Name],
    ) -> Option<Name> {
        let open = info.inputs.iter().skip(positional).filter(|&&input| {
            let value = self.info(input).mods.as_ref().and_then(|mods| mods.value);
            value.is_none() && !named.contains(&self.out.components[input].name)
        });
        let open: Vec<&ComponentId> = open.collect();
        match open[..] {
            [&only] => Some(self.out.components[only].name),
            _ => None,
        }
    }

    pub(crate) fn with_function_label(
        &self,
        diagnostic: Diagnostic<Place>,
        info: &FunctionInfo,
    ) -> Diagnostic<Place> {
        match self.node(info.node).def.name_place() {
            Some(declared) => diagnostic.label(declared, "declared here"),
            None => diagnostic,
        }
    }

    /// Checks types; arguments with more dimensions than their inputs make the call one on each element.
    pub(crate) fn match_slots(
        &mut self,
        info: &Arc<FunctionInfo>,
        slots: Vec<Arg>,
    ) -> Option<Matched> {
        let types: Vec<Type> = slots.iter().map(|it| it.value.ty.clone()).collect();
        let mut vector: Option<Vec<Dim>> = None;
        let mut matched: Vec<(Exp, Type, Type, bool)> = Vec::with_capacity(slots.len());
        let mut var = Variability::Constant;
        for (index, slot) in slots.into_iter().enumerate() {
            let input = info.inputs[index];
            let wanted = self.full_type(input);
            let Typed { exp, ty, var: own } = slot.value;
            var = var.max(own);
            if let (Exp::PartialFunction(given, bound, _), Type::Function(_), Some(node)) =
                (&exp, &wanted, self.info(input).node)
                && !self.function_fits(given, bound, node)
            {
                let name = self.out.components[input].name;
                let diagnostic = Diagnostic::new(
                    Code::MS2023,
                    format!(
                        "`{given}` cannot be input `{name}` of `{}`, because it takes or gives something else",
                        info.name
                    ),
                )
                .label(slot.place, "this function")
                .label(self.out.components[input].place, "must be like this one");
                self.report(diagnostic);
                return None;
            }
            if fit(exp.clone(), &ty, &wanted).is_some() {
                self.require_other_constructor(&ty, &wanted);
                matched.push((exp, ty, wanted, false));
                continue;
            }
            let extra = ty
                .rank()
                .checked_sub(wanted.rank())
                .filter(|extra| *extra > 0);
            let inner = extra.map(|extra| ty.strip(extra));
            let ok = inner
                .as_ref()
                .is_some_and(|inner| fit::fits(inner, &wanted));
            let outer: Vec<Dim> = extra
                .map(|extra| open_dims(&exp, &ty.dims()[..extra]))
                .unwrap_or_default();
            let same = vector.as_ref().is_none_or(|dims| {
                dims.len() == outer.len() && dims.iter().zip(&outer).all(|(a, b)| a.compatible(b))
            });
            if !ok || !same {
                if let Some(exp) = self.converted(&exp, &ty, &wanted) {
                    matched.push((exp, wanted.clone(), wanted, false));
                    continue;
                }
                let name = self.out.components[input].name;
                let advice = self.other_order(info, &types);
                let advice = advice.or_else(|| super::mismatch::conversion(&wanted, &ty));
                self.report(argument_of_type(
                    &info.name, name, &ty, &wanted, slot.place, advice,
                ));
                return None;
            }
            self.require_other_constructor(&ty, &wanted);
            vector = Some(match vector {
                None => outer,
                Some(dims) => dims
                    .iter()
                    .zip(&outer)
                    .map(|(a, b)| fit::better(a, b))
                    .collect(),
            });
            matched.push((exp, ty, wanted, true));
        }
        let iterators: Vec<(Dim, Name)> = vector
            .unwrap_or_default()
            .into_iter()
            .map(|dim| (dim, self.fresh_iterator()))
            .collect();
        let exps = matched
            .into_iter()
            .map(|(exp, ty, wanted, by_element)| {
                if !by_element {
                    return fit(exp, &ty, &wanted).unwrap_or(Exp::Error);
                }
                let inner = ty.strip(iterators.len());
                let full = Type::array(wanted.element().clone(), ty.dims().to_vec());
                let exp = fit::fit_element(exp, &ty, &full).unwrap_or(Exp::Error);
                let _ = inner;
                index_by(exp, &iterators)
            })
            .collect();
        Some((exps, iterators, var))
    }

    pub(crate) fn fresh_iterator(&mut self) -> Name {
        let name = Name::new(&format!("$i{}", self.next_iterator));
        self.next_iterator += 1;
        name
    }

    pub(crate) fn wrong_argument(
        &mut self,
        function: &str,
        input: Name,
        ty: &Type,
        wanted: &Type,
        place: Place,
    ) {
        let advice = super::mismatch::conversion(wanted, ty);
        self.report(argument_of_type(function, input, ty, wanted, place, advice));
    }

    /// The order of the inputs, if the arguments would fit in another order.
    fn other_order(&mut self, info: &FunctionInfo, given: &[Type]) -> Option<String> {
        let wanted: Vec<Type> = info.inputs.iter().map(|&it| self.full_type(it)).collect();
        let mut left: Vec<&Type> = given.iter().collect();
        for ty in &wanted {
            // The argument of just that type first: an Integer fits a Real, too.
            let same = left.iter().position(|it| *it == ty);
            let fits = || left.iter().position(|it| fit::fits(it, ty));
            left.swap_remove(same.or_else(fits)?);
        }
        let inputs: Vec<String> = (info.inputs.iter().zip(&wanted))
            .map(|(&id, ty)| format!("`{}` ({ty})", self.out.components[id].name))
            .collect();
        Some(format!(
            "the arguments would fit in another order: the inputs are {}",
            inputs.join(", ")
        ))
    }
}

fn argument_of_type(
    function: &str,
    input: Name,
    ty: &Type,
    wanted: &Type,
    place: Place,
    advice: Option<String>,
) -> Diagnostic<Place> {
    let message = format!("input `{input}` of `{function}` is {wanted}, but the argument is {ty}");
    let mut diagnostic =
        Diagnostic::new(Code::MS2023, message).label(place, format!("this is {ty}"));
    diagnostic.notes.extend(advice);
    diagnostic
}

/// The sizes of an expression, as far as they are told by what it is made of.
pub(crate) fn sizes_of(exp: &Exp) -> Option<Vec<Dim>> {
    match exp {
        Exp::Int(_) | Exp::Real(_) => Some(Vec::new()),
        Exp::Array(_, ty) => Some(ty.dims().to_vec()),
        Exp::Ref(cref) => Some(open_dims(exp, cref.ty.dims())),
        Exp::If(choice) => Some(choice.ty.dims().to_vec()),
        Exp::Call(call) => Some(call.ty.dims().to_vec()),
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => sizes_of(inner),
        Exp::Binary(BinaryOp::MatMul | BinaryOp::MatPow, _) => None,
        Exp::Binary(_, sides) => {
            let (left, right) = (sizes_of(&sides.0)?, sizes_of(&sides.1)?);
            Some(if left.is_empty() { right } else { left })
        }
        _ => None,
    }
}
