//! Predefined conversions and the remaining operators with arguments by name.

use super::builtin::builtin;
use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_syntax::ast::Args;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_homotopy(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let names = ["actual", "simplified"];
        let Some(slots) = self.named_slots("homotopy", &names, 2, args, place, env) else {
            return Typed::error();
        };
        let mut typed = Vec::new();
        for slot in slots.into_iter().flatten() {
            let Some(value) = self.real_arg("homotopy", slot, env) else {
                return Typed::error();
            };
            typed.push(value);
        }
        let [actual, simplified] = typed.as_slice() else {
            return Typed::error();
        };
        if !fit::fits(&simplified.ty, &actual.ty) {
            let message = format!(
                "both arguments of `homotopy` must have one type, but these are {} and {}",
                actual.ty, simplified.ty
            );
            self.error(Code::MS2023, place, message, "different types");
            return Typed::error();
        }
        let var = actual.var.max(simplified.var);
        builtin(
            "homotopy",
            vec![actual.exp.clone(), simplified.exp.clone()],
            actual.ty.clone(),
            var,
        )
    }

    pub(crate) fn type_string(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(first) = args.positional.first() else {
            self.wrong_count("String", 1, 4, 0, place);
            return Typed::error();
        };
        let value = super::operator::first_output(self.type_exp(first, env));
        if value.is_error() {
            return Typed::error();
        }
        if value.ty.is_record() {
            return self.overloaded_string(value, args, place, env);
        }
        let names: &[&str] = match (
            &value.ty,
            args.positional.len() > 1
                || args
                    .named
                    .iter()
                    .any(|arg| arg.name.name.as_str() == "format"),
        ) {
            (Type::Real, true) => &["r", "format"],
            (Type::Real, false) => &["r", "significantDigits", "minimumLength", "leftJustified"],
            (Type::Integer, true)
                if args
                    .named
                    .iter()
                    .any(|arg| arg.name.name.as_str() == "format") =>
            {
                &["i", "format"]
            }
            (Type::Integer | Type::Boolean | Type::Enumeration(_), _) => {
                &["i", "minimumLength", "leftJustified"]
            }
            (Type::String, _) => &["s"],
            _ => {
                self.wrong_argument(
                    "String",
                    Name::new("1"),
                    &value.ty,
                    &Type::Real,
                    env.place(first.span),
                );
                return Typed::error();
            }
        };
        // Only a format can be given by position; the other options would be easy to mistake for each other.
        if let Some(option) = args.positional.get(1).filter(|_| names[1] != "format") {
            self.error(
                Code::MS2022,
                env.place(option.span),
                format!("the options of `String` for {} are given by name", value.ty),
                format!("write `{} = …`", names[1]),
            );
            return Typed::error();
        }
        let Some(slots) = self.named_slots("String", names, 1, args, place, env) else {
            return Typed::error();
        };
        let mut exps = vec![value.exp];
        let mut var = value.var;
        for (name, slot) in names.iter().zip(slots).skip(1) {
            let exp = match slot {
                Some(slot) => {
                    let typed = self.type_exp(slot, env);
                    var = var.max(typed.var);
                    typed.exp
                }
                None => match *name {
                    "significantDigits" => Exp::Int(6),
                    "minimumLength" => Exp::Int(0),
                    "leftJustified" => Exp::Bool(true),
                    _ => continue,
                },
            };
            exps.push(exp);
        }
        builtin("String", exps, Type::String, var)
    }

    pub(crate) fn type_to_integer(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(args) = self.exact_args("Integer", 1, args, place, env) else {
            return Typed::error();
        };
        let element = args[0].value.ty.element().clone();
        if !matches!(element, Type::Enumeration(_)) {
            let message = format!(
                "`Integer` gives the number of an enumeration literal, but this is {element}"
            );
            self.error(
                Code::MS2023,
                args[0].place,
                message,
                "use `integer(…)` to round a Real down",
            );
            return Typed::error();
        }
        self.scalar_call("Integer", args, element, Type::Integer, None)
    }

    pub(crate) fn instance_name(&mut self, env: &Env) -> Typed {
        let instance = self.derived_most(env.scope);
        let mut model = instance;
        while let Some(owner) = self.node(model).owner {
            model = self.derived_most(self.elem(owner).node);
        }
        // The model that is simulated has its own name there, without the packages around it.
        let (path, model) = (&self.node(instance).path, &self.node(model).path);
        let packages = model.len() - crate::split::name_of_path(model).as_str().len();
        let name = path.get(packages..).unwrap_or(path);
        Typed::constant(Exp::Str(name.into()), Type::String)
    }

    pub(crate) fn type_pure(&mut self, args: &Args, env: &mut Env) -> Typed {
        match args.positional.as_slice() {
            [one] => {
                if !matches!(one.kind, modeshift_syntax::ast::ExprKind::Call { .. }) {
                    self.error(
                        Code::MS2034,
                        env.place(one.span),
                        "the argument of `pure` must be a function call",
                        "not a call",
                    );
                    return Typed::error();
                }
                self.type_exp(one, env)
            }
            _ => Typed::error(),
        }
    }

    pub(crate) fn type_spatial_distribution(
        &mut self,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let names = [
            "in0",
            "in1",
            "x",
            "positiveVelocity",
            "initialPoints",
            "initialValues",
        ];
        let Some(slots) = self.named_slots("spatialDistribution", &names, 4, args, place, env)
        else {
            return Typed::error();
        };
        let defaults = |values: [f64; 2]| {
            let ty = Type::array(Type::Real, vec![Dim::Known(2)]);
            Exp::Array(values.map(Exp::Real).to_vec(), ty)
        };
        let mut exps = Vec::new();
        for (index, slot) in slots.into_iter().enumerate() {
            let exp = match slot {
                Some(slot) if index == 3 => self.type_exp(slot, env).exp,
                Some(slot) => match self.real_arg("spatialDistribution", slot, env) {
                    Some(typed) => typed.exp,
                    None => return Typed::error(),
                },
                None if index == 4 => defaults([0.0, 1.0]),
                None => defaults([0.0, 0.0]),
            };
            exps.push(exp);
        }
        builtin(
            "spatialDistribution",
            exps,
            Type::Tuple([Type::Real, Type::Real].into()),
            Variability::Continuous,
        )
    }
}
