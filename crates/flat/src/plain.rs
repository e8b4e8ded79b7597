//! A flat model whose plain equations are exchanged.
//!
//! While somebody types in a plain equation (`modeshift_hir::plain_equations`), the flat model stays as it is but for what
//! comes of that equation. So the frame of the model is kept, which has a mark in the place of each plain equation, and these are
//! flattened by themselves ([`Frame`]). What does not look at numbers is found out about an [`Outline`], which stays
//! equal while a number is typed.

use crate::connect::Connections;
use crate::flatten::{Flat, Flattener, Options};
use crate::layout::Layout;
use crate::lower::Cx;
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, OriginKind, Place,
};
use modeshift_base::Span;
use modeshift_diag::Diagnostic;
use modeshift_inst::builtin::SMOOTH;
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::tree::{self, Instance};
use modeshift_inst::ty::Type;
use std::sync::Arc;

/// What comes of each plain equation, in their order.
pub type Plain = Vec<Vec<Equation>>;

/// A flat model with marks in the places of its plain equations.
#[derive(Clone, Debug)]
pub struct Frame {
    pub flat: Flat,
    layout: Arc<Layout>,
    /// The equations of the model that are marks, in order.
    marks: Arc<[usize]>,
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.flat == other.flat && self.marks == other.marks
    }
}

impl Frame {
    /// `flat` is the model of `instance`, in which there are marks at `places`. `None` where marks are not what they seem:
    /// something is said about them, or what is in a bus depends on the connections. Linear in the model.
    pub fn new(instance: &Instance, flat: Flat, places: &[Place]) -> Option<Self> {
        if tells_of(&flat.diagnostics, places)
            || crate::connect::expandable::augment(instance).is_some()
        {
            return None;
        }
        let mut places = places.iter().copied().peekable();
        let mut marks = Vec::with_capacity(places.len());
        for (at, equation) in flat.model.equations.iter().enumerate() {
            let place = Some(equation.origin.span);
            if equation.origin.kind == OriginKind::Equation && places.peek().copied() == place {
                marks.push(at);
                places.next();
            }
        }
        let layout = Arc::new(Layout::new(instance).ok()?);
        places.next().is_none().then(|| Self {
            flat,
            layout,
            marks: marks.into(),
        })
    }

    /// Flattens the plain equations of `instance` by themselves. `None` if more comes of them than equations.
    pub fn flatten<'t>(
        &self,
        instance: &Instance,
        options: Options,
        typed: impl Iterator<Item = &'t Vec<tree::Equation>>,
    ) -> Option<Plain> {
        let mut cx = Cx::new(instance, &self.layout);
        cx.keep_arrays = options.keep_arrays;
        cx.scalar = options.scalar;
        cx.classic = options.classic;
        let mut flattener = Flattener::new(cx, FlatModel::default(), Connections::default());
        let plain: Plain = typed.map(|it| flattener.own(it)).collect();
        let still = plain.len() == self.marks.len() && plain.iter().flatten().all(is_plain);
        (still && flattener.found_nothing()).then_some(plain)
    }

    /// The model with these equations instead of the marks. Linear in the equations of the model.
    pub fn model(&self, plain: &Plain) -> Arc<FlatModel> {
        exchanged(&self.flat.model, &self.marks, plain)
    }

    pub fn outline(&self, plain: &Plain) -> Outline {
        let outline = |equations: &Vec<Equation>| equations.iter().map(without_numbers).collect();
        Outline {
            frame: self.flat.model.clone(),
            marks: self.marks.clone(),
            plain: plain.iter().map(outline).collect(),
        }
    }
}

/// A flat model apart from the numbers in its plain equations, and from where these end.
#[derive(Clone, Debug)]
pub struct Outline {
    frame: Arc<FlatModel>,
    marks: Arc<[usize]>,
    plain: Plain,
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.frame, &other.frame) || self.frame == other.frame;
        same && self.marks == other.marks && self.plain == other.plain
    }
}

impl Outline {
    /// A model with this outline.
    pub fn model(&self) -> Arc<FlatModel> {
        exchanged(&self.frame, &self.marks, &self.plain)
    }

    /// Whether something is said about a plain equation: that may depend on its numbers after all.
    pub fn is_told(&self, found: &[Diagnostic<Place>]) -> bool {
        let plain = self.plain.iter().flatten();
        let places: Vec<Place> = plain.map(|it| it.origin.span).collect();
        tells_of(found, &places)
    }
}

fn tells_of(found: &[Diagnostic<Place>], places: &[Place]) -> bool {
    let mut labels = found.iter().flat_map(|it| &it.labels);
    labels.any(|label| places.contains(&label.at))
}

fn exchanged(frame: &Arc<FlatModel>, marks: &[usize], plain: &Plain) -> Arc<FlatModel> {
    if marks.is_empty() {
        return frame.clone();
    }
    let mut equations = Vec::with_capacity(frame.equations.len());
    let mut from = 0;
    for (&mark, own) in marks.iter().zip(plain) {
        equations.extend_from_slice(&frame.equations[from..mark]);
        equations.extend_from_slice(own);
        from = mark + 1;
    }
    equations.extend_from_slice(&frame.equations[from..]);
    Arc::new(FlatModel {
        name: frame.name.clone(),
        comment: frame.comment.clone(),
        variables: frame.variables.clone(),
        groups: frame.groups.clone(),
        initial_equations: frame.initial_equations.clone(),
        initial_algorithms: frame.initial_algorithms.clone(),
        equations,
        algorithms: frame.algorithms.clone(),
        functions: frame.functions.clone(),
        declarations: frame.declarations.clone(),
        classic: frame.classic,
        inner_outer: frame.inner_outer.clone(),
        unit_values: frame.unit_values.clone(),
    })
}

fn is_plain(equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, ty } => {
            *ty == Type::Real && is_smooth(lhs) && is_smooth(rhs)
        }
        _ => false,
    }
}

fn is_smooth(exp: &FlatExp) -> bool {
    match exp {
        Exp::Int(_) | Exp::Real(_) | Exp::Time | Exp::Ref(FlatRef::Var(_)) => true,
        Exp::Cast(_, inner) | Exp::Unary(UnaryOp::Neg, inner) => is_smooth(inner),
        Exp::Binary(op, sides) => {
            use BinaryOp::{Add, Div, Mul, Pow, Sub};
            let smooth = matches!(op, Add | Sub | Mul | Div | Pow);
            smooth && is_smooth(&sides.0) && is_smooth(&sides.1)
        }
        Exp::Call(call) => match &call.function {
            Callee::Builtin(name) => {
                SMOOTH.contains(&name.as_str()) && call.args.iter().all(is_smooth)
            }
            _ => false,
        },
        _ => false,
    }
}

fn without_numbers(equation: &Equation) -> Equation {
    let kind = match &equation.kind {
        EquationKind::Equality { lhs, rhs, ty } => EquationKind::Equality {
            lhs: same_form(lhs),
            rhs: same_form(rhs),
            ty: ty.clone(),
        },
        other => other.clone(),
    };
    let place = equation.origin.span;
    let span = Place {
        span: Span::new(place.span.start, place.span.start),
        ..place
    };
    Equation {
        kind,
        origin: Arc::new(Origin {
            span,
            ..Origin::clone(&equation.origin)
        }),
    }
}

/// The expression with 2 for each number that is neither zero nor one. Exponents are kept: units and degrees depend on them.
fn same_form(exp: &FlatExp) -> FlatExp {
    match exp {
        Exp::Int(value) if value.unsigned_abs() > 1 => Exp::Int(2 * value.signum()),
        Exp::Real(value) if *value != 0.0 && value.abs() != 1.0 => {
            Exp::Real(2.0_f64.copysign(*value))
        }
        Exp::Cast(ty, inner) => Exp::Cast(ty.clone(), Box::new(same_form(inner))),
        Exp::Unary(UnaryOp::Neg, inner) => Exp::Unary(UnaryOp::Neg, Box::new(same_form(inner))),
        Exp::Binary(
            op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div),
            sides,
        ) => Exp::Binary(*op, Box::new((same_form(&sides.0), same_form(&sides.1)))),
        Exp::Binary(BinaryOp::Pow, sides) => Exp::Binary(
            BinaryOp::Pow,
            Box::new((same_form(&sides.0), sides.1.clone())),
        ),
        Exp::Call(call) => {
            let mut call = call.clone();
            call.args = call.args.iter().map(same_form).collect();
            Exp::Call(call)
        }
        _ => exp.clone(),
    }
}
