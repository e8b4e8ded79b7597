//! The values of constants, as far as their declarations tell them without an instance.

use modeshift_base::Name;
use modeshift_db::Db;
use modeshift_hir::statics::{Symbol, lookup_path};
use modeshift_hir::{ClassId, Element, class};
use modeshift_syntax::ast::{
    BinaryOp, Binding, ComponentRef, Expr, ExprKind, UnaryOp, VariabilityPrefix,
};

/// Constants that are made from others go so deep at most; wrong ones may go round.
const MAX_DEPTH: usize = 24;

/// The value of a constant that is computed from others; `None` where it is written as a number or is not known.
pub(crate) fn computed(db: &dyn Db, symbol: Symbol) -> Option<String> {
    let (owner, binding) = constant(db, symbol)?;
    if matches!(binding.kind, ExprKind::Int(_) | ExprKind::Real(_)) {
        return None;
    }
    let value = evaluate(db, owner, binding, MAX_DEPTH)?;
    value.is_finite().then(|| format!("{value}"))
}

/// A constant's binding and the class whose names it is written in.
fn constant(db: &dyn Db, symbol: Symbol) -> Option<(ClassId, &Expr)> {
    let Symbol::Component { class: id, element } = symbol else {
        return None;
    };
    let Element::Component(component) = class(db, id).elements().get(element)? else {
        return None;
    };
    let scalar = component.dims.is_empty() && component.clause.dims.is_empty();
    let constant =
        component.clause.type_prefix.variability == Some(VariabilityPrefix::Constant) && scalar;
    match &component
        .modification
        .as_ref()
        .filter(|_| constant)?
        .binding
    {
        Some(Binding::Expr(value)) => Some((id, value)),
        _ => None,
    }
}

fn evaluate(db: &dyn Db, scope: ClassId, expr: &Expr, depth: usize) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    let of = |expr: &Expr| evaluate(db, scope, expr, depth);
    Some(match &expr.kind {
        ExprKind::Int(value) => *value as f64,
        ExprKind::Real(value) => *value,
        ExprKind::Paren(inner) => of(inner)?,
        ExprKind::Unary { op, operand } => match op {
            UnaryOp::Minus => -of(operand)?,
            UnaryOp::Plus => of(operand)?,
            _ => return None,
        },
        ExprKind::Binary { op, lhs, rhs } => {
            let (a, b) = (of(lhs)?, of(rhs)?);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Pow => libm::pow(a, b),
                _ => return None,
            }
        }
        ExprKind::Ref(name) => {
            let (owner, binding) =
                constant(db, lookup_path(db, scope, name.global, &path(name)?)?)?;
            evaluate(db, owner, binding, depth)?
        }
        ExprKind::Call { function, args } => {
            let [name] = path(function)?.try_into().ok()?;
            // A function of the model may have the name of a built-in one.
            if lookup_path(db, scope, false, &[name]).is_some() || !args.named.is_empty() {
                return None;
            }
            let values: Vec<f64> = args.positional.iter().map(of).collect::<Option<_>>()?;
            call(name.as_str(), &values)?
        }
        _ => return None,
    })
}

fn path(name: &ComponentRef) -> Option<Vec<Name>> {
    let plain = name.parts.iter().all(|part| part.subscripts.is_empty());
    plain.then(|| name.parts.iter().map(|part| part.name).collect())
}

fn call(name: &str, args: &[f64]) -> Option<f64> {
    Some(match (name, args) {
        ("sqrt", &[u]) => libm::sqrt(u),
        ("abs", &[u]) => u.abs(),
        ("sin", &[u]) => libm::sin(u),
        ("cos", &[u]) => libm::cos(u),
        ("tan", &[u]) => libm::tan(u),
        ("asin", &[u]) => libm::asin(u),
        ("acos", &[u]) => libm::acos(u),
        ("atan", &[u]) => libm::atan(u),
        ("exp", &[u]) => libm::exp(u),
        ("log", &[u]) => libm::log(u),
        ("log10", &[u]) => libm::log10(u),
        ("max", &[a, b]) => a.max(b),
        ("min", &[a, b]) => a.min(b),
        _ => return None,
    })
}
