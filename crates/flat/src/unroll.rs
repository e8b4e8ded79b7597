//! Equations of one element: loops unrolled, structural conditions resolved, arrays split.

use crate::flatten::Flattener;
use crate::lower::{element_of, rank};
use crate::model::{Equation, EquationKind, FlatExp, Origin, OriginKind};
use modeshift_inst::exp::Exp;
use modeshift_inst::tree::{self, ComponentId};
use modeshift_inst::ty::Type;
use std::sync::Arc;

type Tree = tree::EquationKind;

/// Appends what an equation becomes to `out`.
pub(crate) fn equation(
    flattener: &mut Flattener<'_>,
    equation: &tree::Equation,
    owner: Option<ComponentId>,
    out: &mut Vec<Equation>,
) {
    let mut unroll = Unroll { flattener, owner };
    unroll.equation(equation, out);
}

struct Unroll<'f, 'a> {
    flattener: &'f mut Flattener<'a>,
    /// The component whose class the equation stands in.
    owner: Option<ComponentId>,
}

impl Unroll<'_, '_> {
    fn equations(&mut self, equations: &[tree::Equation]) -> Vec<Equation> {
        let mut out = Vec::with_capacity(equations.len());
        for equation in equations {
            self.equation(equation, &mut out);
        }
        out
    }

    fn equation(&mut self, equation: &tree::Equation, out: &mut Vec<Equation>) {
        let kind = match &equation.kind {
            Tree::Equality { lhs, rhs, ty } => return self.equality(equation, lhs, rhs, ty, out),
            Tree::Connect { .. } => {
                return crate::connect::collect(self.flattener, equation, self.owner);
            }
            Tree::If { branches, else_ } => return self.if_(equation, branches, else_, out),
            Tree::For {
                iterator,
                range,
                body,
            } => {
                if let Some(values) = self.flattener.cx.values(range) {
                    for value in values {
                        let depth = self.flattener.cx.iterators.len();
                        self.flattener.cx.iterators.push((*iterator, value));
                        self.flattener.cx.loops = depth + 1;
                        for equation in body {
                            self.equation(equation, out);
                        }
                        self.flattener.cx.iterators.truncate(depth);
                        self.flattener.cx.loops = depth;
                    }
                    return;
                }
                let range = self.flattener.cx.value(range);
                EquationKind::For {
                    iterator: *iterator,
                    range,
                    body: self.equations(body),
                }
            }
            Tree::When { branches } => EquationKind::When {
                branches: self.branches(branches),
            },
            Tree::Assert {
                condition,
                message,
                level,
            } => {
                let cx = &mut self.flattener.cx;
                let condition = cx.scalar(condition);
                if condition == Exp::Bool(true) {
                    return;
                }
                EquationKind::Assert {
                    condition,
                    message: cx.scalar(message),
                    level: cx.scalar(level),
                }
            }
            Tree::Terminate { message } => EquationKind::Terminate {
                message: self.flattener.cx.scalar(message),
            },
            Tree::Reinit { variable, value } => {
                let cx = &mut self.flattener.cx;
                EquationKind::Reinit {
                    variable: cx.value(variable),
                    value: cx.value(value),
                }
            }
            Tree::Call(call) => {
                if crate::connect::is_operator(call) {
                    return crate::connect::operator(self.flattener, call);
                }
                EquationKind::Call(self.flattener.cx.value(call))
            }
        };
        out.push(self.made(equation, kind));
    }

    fn made(&self, equation: &tree::Equation, kind: EquationKind) -> Equation {
        Equation {
            kind,
            origin: self.origin(equation),
        }
    }

    fn origin(&self, equation: &tree::Equation) -> Arc<Origin> {
        let mut origin = self.flattener.origin(equation.place, OriginKind::Equation);
        if equation.comment.is_some() {
            Arc::make_mut(&mut origin).comment = equation.comment.clone();
        }
        origin
    }

    fn branches(
        &mut self,
        branches: &[(Exp, Vec<tree::Equation>)],
    ) -> Vec<(FlatExp, Vec<Equation>)> {
        let mut lowered = Vec::with_capacity(branches.len());
        for (condition, body) in branches {
            let condition = self.flattener.cx.when_condition(condition);
            lowered.push((condition, self.equations(body)));
        }
        lowered
    }

    /// Conditions that are known choose; the others stay.
    fn if_(
        &mut self,
        equation: &tree::Equation,
        branches: &[(Exp, Vec<tree::Equation>)],
        else_: &[tree::Equation],
        out: &mut Vec<Equation>,
    ) {
        let mut kept: Vec<(FlatExp, Vec<Equation>)> = Vec::new();
        for (condition, body) in branches {
            match self.flattener.cx.deciding(|cx| cx.scalar(condition)) {
                Exp::Bool(false) => {}
                Exp::Bool(true) if kept.is_empty() => {
                    for equation in body {
                        self.equation(equation, out);
                    }
                    return;
                }
                Exp::Bool(true) => {
                    let else_ = self.equations(body);
                    out.push(self.made(
                        equation,
                        EquationKind::If {
                            branches: kept,
                            else_,
                        },
                    ));
                    return;
                }
                condition => {
                    let body = self.equations(body);
                    kept.push((condition, body));
                }
            }
        }
        if kept.is_empty() {
            for equation in else_ {
                self.equation(equation, out);
            }
            return;
        }
        let else_ = self.equations(else_);
        if else_.is_empty() && kept.iter().all(|(_, body)| body.is_empty()) {
            return;
        }
        out.push(self.made(
            equation,
            EquationKind::If {
                branches: kept,
                else_,
            },
        ));
    }

    fn equality(
        &mut self,
        equation: &tree::Equation,
        lhs: &Exp,
        rhs: &Exp,
        ty: &Type,
        out: &mut Vec<Equation>,
    ) {
        let is_array = rank(lhs) > 0 || rank(rhs) > 0;
        let cx = &mut self.flattener.cx;
        if is_array
            && !cx.keep_arrays
            && (splits(lhs, rhs, ty) || cx.classic || cx.scalar)
            && let Some(pairs) = split(cx, lhs, rhs)
        {
            let origin = self.origin(equation);
            let element = element_of(ty);
            out.extend(pairs.into_iter().map(|(lhs, rhs)| Equation {
                kind: EquationKind::Equality {
                    lhs,
                    rhs,
                    ty: element.clone(),
                },
                origin: origin.clone(),
            }));
            return;
        }
        let lhs = cx.target(lhs);
        let rhs = cx.value(rhs);
        if is_empty(&lhs) && is_empty(&rhs) {
            return;
        }
        let kind = EquationKind::Equality {
            lhs,
            rhs,
            ty: ty.clone(),
        };
        out.push(self.made(equation, kind));
    }
}

/// Both sides element by element; `None` if one of them must stay whole.
fn split(cx: &mut crate::lower::Cx<'_>, lhs: &Exp, rhs: &Exp) -> Option<Vec<(FlatExp, FlatExp)>> {
    let left = cx.elements(lhs)?;
    let right = cx.elements(rhs)?;
    if left.len() != right.len() {
        return None;
    }
    Some(left.into_iter().zip(right).collect())
}

/// Whether an array equation is told element by element: not where loops or whole records stay.
fn splits(lhs: &Exp, rhs: &Exp, ty: &Type) -> bool {
    let loops = |exp| crate::lower::keeps_loops(exp);
    let overloaded = matches!(rhs, Exp::Reduction(_)) && !loops(rhs);
    !loops(lhs) && !loops(rhs) && (!is_record(ty) || overloaded)
}

fn is_record(ty: &Type) -> bool {
    matches!(element_of(ty), Type::Record(_))
}

fn is_empty(exp: &FlatExp) -> bool {
    matches!(exp, Exp::Array(elements, _) if elements.is_empty() || elements.iter().all(is_empty))
}
