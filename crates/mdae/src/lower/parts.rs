//! Equations of tuples and records that define discrete variables, taken apart: `(n, x) = f(u)` with an Integer `n` becomes
//! one equation for each scalar, because discrete variables are defined one by one. Linear in the flat model.

use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatModel, FlatRef, VarId};
use modeshift_inst::exp::{Exp, IfExp, Subscript};
use modeshift_inst::ty::{Dim, Type, Variability};
use std::borrow::Cow;

/// The model with such equations taken apart; most have none.
pub(super) fn split(flat: &FlatModel) -> Cow<'_, FlatModel> {
    if !flat.equations.iter().any(|it| needs_split(flat, it)) {
        return Cow::Borrowed(flat);
    }
    let mut model = flat.clone();
    model.equations = split_all(flat, &flat.equations);
    Cow::Owned(model)
}

fn needs_split(flat: &FlatModel, equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, ty } => parts(flat, lhs, rhs, ty).is_some(),
        EquationKind::If { branches, else_ } => {
            let mut bodies = branches.iter().map(|(_, body)| body).chain([else_]);
            bodies.any(|body| body.iter().any(|it| needs_split(flat, it)))
        }
        EquationKind::When { branches } => {
            let mut bodies = branches.iter().map(|(_, body)| body);
            bodies.any(|body| body.iter().any(|it| needs_split(flat, it)))
        }
        _ => false,
    }
}

fn split_all(flat: &FlatModel, equations: &[Equation]) -> Vec<Equation> {
    let mut out = Vec::with_capacity(equations.len());
    for equation in equations {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, ty } => match parts(flat, lhs, rhs, ty) {
                Some(parts) => out.extend(parts.into_iter().map(|(id, value)| Equation {
                    kind: EquationKind::Equality {
                        lhs: Exp::Ref(FlatRef::Var(id)),
                        rhs: value,
                        ty: flat.variables[id].ty.clone(),
                    },
                    origin: equation.origin.clone(),
                })),
                None => out.push(equation.clone()),
            },
            EquationKind::If { branches, else_ } => out.push(Equation {
                kind: EquationKind::If {
                    branches: branches
                        .iter()
                        .map(|(condition, body)| (condition.clone(), split_all(flat, body)))
                        .collect(),
                    else_: split_all(flat, else_),
                },
                origin: equation.origin.clone(),
            }),
            EquationKind::When { branches } => out.push(Equation {
                kind: EquationKind::When {
                    branches: branches
                        .iter()
                        .map(|(condition, body)| (condition.clone(), split_all(flat, body)))
                        .collect(),
                },
                origin: equation.origin.clone(),
            }),
            _ => out.push(equation.clone()),
        }
    }
    out
}

/// The scalar variables of one side with their values on the other; `None` if there is nothing discrete among them, or
/// the equation does not have this form.
fn parts(
    flat: &FlatModel,
    lhs: &FlatExp,
    rhs: &FlatExp,
    ty: &Type,
) -> Option<Vec<(VarId, FlatExp)>> {
    if !matches!(ty.element(), Type::Record(_) | Type::Tuple(_)) {
        return None;
    }
    let mut found = Vec::new();
    let mut worth = false;
    let mut one = |target: &FlatExp, value: FlatExp, ty: &Type| -> Option<()> {
        let ids = targets(flat, target)?;
        worth |= ids.iter().any(|&id| is_discrete(flat, id));
        let values = scalars(value, ty)?;
        if ids.len() != values.len() {
            return None;
        }
        found.extend(ids.into_iter().zip(values));
        Some(())
    };
    match (lhs, ty) {
        (Exp::Tuple(items), Type::Tuple(types)) => {
            for (index, item) in items.iter().enumerate() {
                let Some(item) = item else { continue };
                let value = match rhs {
                    Exp::Tuple(values) => values.get(index)?.clone()?,
                    call => Exp::TupleElement(Box::new(call.clone()), index as u32 + 1),
                };
                one(item, value, types.get(index)?)?;
            }
        }
        _ => match (targets(flat, lhs), targets(flat, rhs)) {
            (Some(_), None) => one(lhs, rhs.clone(), ty)?,
            (None, Some(_)) => one(rhs, lhs.clone(), ty)?,
            // Records of variables on both sides: field by field.
            (Some(a), Some(b)) if a.len() == b.len() => {
                worth = a.iter().chain(&b).any(|&id| is_discrete(flat, id));
                let is_given = |id: VarId| flat.variables[id].variability <= Variability::Parameter;
                found.extend(a.into_iter().zip(b).map(|(a, b)| {
                    let (target, source) = if is_given(a) { (b, a) } else { (a, b) };
                    (target, Exp::Ref(FlatRef::Var(source)))
                }));
            }
            _ => return None,
        },
    }
    worth.then_some(found)
}

fn is_discrete(flat: &FlatModel, id: VarId) -> bool {
    let variable = &flat.variables[id];
    variable.variability > Variability::Parameter
        && matches!(
            variable.ty,
            Type::Boolean | Type::Integer | Type::Enumeration(_)
        )
}

fn targets(flat: &FlatModel, exp: &FlatExp) -> Option<Vec<VarId>> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(vec![*id]),
        Exp::Ref(FlatRef::Group(group)) => Some(flat.groups[*group].members.clone()),
        _ => None,
    }
}

/// The scalars of a value, row by row, fields in order of declaration.
fn scalars(value: FlatExp, ty: &Type) -> Option<Vec<FlatExp>> {
    match (value, ty) {
        (Exp::Record(_, items), Type::Record(record)) => {
            let types = record.fields.iter().map(|(_, ty)| ty);
            let parts = items.into_iter().zip(types);
            flattened(parts.map(|(item, ty)| scalars(item, ty)))
        }
        (Exp::Array(items, _), Type::Array(_)) => {
            let inner = below(ty)?;
            flattened(items.into_iter().map(|item| scalars(item, &inner)))
        }
        (Exp::If(branch), Type::Array(_) | Type::Record(_)) => {
            let IfExp {
                condition,
                then,
                else_,
                ..
            } = *branch;
            let (then, else_) = (scalars(then, ty)?, scalars(else_, ty)?);
            let pairs = then.into_iter().zip(else_);
            let choice = |(then, else_): (FlatExp, FlatExp)| {
                Exp::If(Box::new(IfExp {
                    condition: condition.clone(),
                    then,
                    else_,
                    ty: Type::Unknown,
                }))
            };
            Some(pairs.map(choice).collect())
        }
        (value, Type::Record(record)) => flattened(
            record
                .fields
                .iter()
                .map(|(name, ty)| scalars(Exp::Field(Box::new(value.clone()), *name), ty)),
        ),
        (value, Type::Array(array)) => {
            let mut all: Vec<Vec<Subscript<FlatRef>>> = vec![Vec::new()];
            for dim in &array.dims {
                let Dim::Known(size) = dim else { return None };
                let longer = |indices: &Vec<Subscript<FlatRef>>| {
                    let indices = indices.clone();
                    (1..=*size).map(move |index| {
                        let mut indices = indices.clone();
                        indices.push(Subscript::Index(Exp::Int(index)));
                        indices
                    })
                };
                all = all.iter().flat_map(longer).collect();
            }
            flattened(all.into_iter().map(|indices| {
                let element = Exp::Subscripted(Box::new(value.clone()), indices);
                scalars(element, &array.element)
            }))
        }
        (value, _) => Some(vec![value]),
    }
}

/// The type of one element.
fn below(ty: &Type) -> Option<Type> {
    let Type::Array(array) = ty else { return None };
    Some(Type::array(
        array.element.clone(),
        array.dims.get(1..)?.to_vec(),
    ))
}

fn flattened(parts: impl Iterator<Item = Option<Vec<FlatExp>>>) -> Option<Vec<FlatExp>> {
    let parts: Option<Vec<Vec<FlatExp>>> = parts.collect();
    Some(parts?.into_iter().flatten().collect())
}
