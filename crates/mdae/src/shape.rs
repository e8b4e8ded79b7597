//! The shape of a model: all that the structure of its modes depends on.
//!
//! Which unknowns occur where, differentiated how often, under which conditions; not by which numbers they are multiplied,
//! nor where in the text that is said. Two models of the same shape have the same structure in all modes, so
//! that an edit of a number leaves it alone.
//!
//! The shape is an mDAE, on which the same algorithms work. Its equations stand for those of the model: where an equation
//! always holds, each side is a list of the unknowns, conditions and choices (`abs`, `max`) in it, in their order. Equations under a
//! guard are kept as they are, because equal ones are recognised.

use crate::cond::Conds;
use crate::model::{Bounds, CareFact, EqId, Equation, MDae, ModeVar, Parameter, Variable};
use crate::sym::{Expr, Func, Kind, Limits, RelOp, normal_form};
use modeshift_base::{FxHashMap, FxHashSet, IndexVec, Name, Shared};
use modeshift_flat::model::{Origin, OriginKind};
use std::sync::{Arc, LazyLock};

/// The shape of an mDAE. Equal shapes have equal structures.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    pub(crate) mdae: MDae,
}

impl Shape {
    /// Linear in the size of the equations, apart from the comparison of branches.
    pub fn of(mdae: &MDae) -> Self {
        Self::after(mdae, None)
    }

    /// The same for somebody who asks again and again: `known` is a model whose shape is known. Equations that both have in
    /// common are not looked into.
    pub fn again(mdae: &MDae, known: &mut Option<(MDae, Self)>) -> Self {
        let shape = Self::after(mdae, known.as_ref());
        *known = Some((mdae.clone(), shape.clone()));
        shape
    }

    fn after(mdae: &MDae, known: Option<&(MDae, Self)>) -> Self {
        let mut shape = MDae {
            name: mdae.name.clone(),
            variables: variables(mdae, known),
            parameters: parameters(mdae, known),
            modes: (mdae.modes.iter())
                .map(|it| ModeVar {
                    origin: nowhere(),
                    ..it.clone()
                })
                .collect(),
            derived: mdae.derived.clone(),
            named: mdae.named.clone(),
            families: mdae.families.clone(),
            updates: mdae.updates.clone(),
            conds: mdae.conds.clone(),
            equations: equations(mdae, known),
            initial_equations: Vec::new(),
            initial_updates: mdae.initial_updates.clone(),
            assertions: Vec::new(),
            checks: Shared::default(),
            ends: Vec::new(),
            care: mdae
                .care
                .iter()
                .map(|fact| CareFact {
                    origin: None,
                    ..fact.clone()
                })
                .collect(),
            points: mdae.points.clone(),
            meanings: Shared::default(),
            lookups: FxHashSet::default(),
            tables: FxHashMap::default(),
        };
        let derived = shape.derived.iter_mut().map(|it| &mut it.origin);
        let families = shape.families.iter_mut().map(|it| &mut it.origin);
        let updates = shape.updates.iter_mut().chain(&mut shape.initial_updates);
        let origins = derived
            .chain(families)
            .chain(updates.map(|it| &mut it.origin));
        origins.for_each(|origin| *origin = nowhere());
        Self { mdae: shape }
    }
}

/// Shapes have no places. One for all of them is compared fastest.
fn nowhere() -> Arc<Origin> {
    static NOWHERE: LazyLock<Arc<Origin>> = LazyLock::new(|| {
        Arc::new(Origin {
            span: modeshift_base::FileSpan {
                file: modeshift_base::FileId(0),
                span: modeshift_base::Span::default(),
            },
            also: Vec::new(),
            instance: Arc::from(""),
            kind: OriginKind::Declaration,
            comment: None,
        })
    });
    NOWHERE.clone()
}

fn variables(mdae: &MDae, known: Option<&(MDae, Shape)>) -> Shared<Vec<Variable>> {
    if let Some((model, shape)) = known
        && Shared::same(&model.variables, &mdae.variables)
    {
        return shape.mdae.variables.clone();
    }
    let outline = |it: &Variable| Variable {
        name: it.name.clone(),
        start: None,
        fixed: false,
        bounds: Bounds::default(),
        origin: nowhere(),
        ..*it
    };
    mdae.variables.iter().map(outline).collect()
}

fn parameters(mdae: &MDae, known: Option<&(MDae, Shape)>) -> Shared<Vec<Parameter>> {
    if let Some((model, shape)) = known
        && Shared::same(&model.parameters, &mdae.parameters)
    {
        return shape.mdae.parameters.clone();
    }
    let outline = |it: &Parameter| Parameter {
        name: it.name.clone(),
        binding: None,
        value: None,
        free: it.free,
        structural: it.structural,
        origin: nowhere(),
    };
    mdae.parameters.iter().map(outline).collect()
}

fn equations(mdae: &MDae, known: Option<&(MDae, Shape)>) -> Shared<IndexVec<Equation>> {
    let mut outline = Outline::default();
    let of = |id: EqId| {
        let (model, shape) = known?;
        let (before, now) = (model.equations.get(id)?, &mdae.equations[id]);
        let same = before.lhs == now.lhs
            && before.rhs == now.rhs
            && before.guard == now.guard
            && before.kind == now.kind;
        same.then(|| shape.mdae.equations[id].clone())
    };
    let new = |it: &Equation, outline: &mut Outline| {
        let exact = !it.is_long() || it.guard != Conds::TRUE;
        let mut side = |side: &Expr| match exact {
            true => side.clone(),
            false => outline.of(side),
        };
        Equation {
            kind: it.kind.clone(),
            guard: it.guard,
            lhs: side(&it.lhs),
            rhs: side(&it.rhs),
            origin: nowhere(),
        }
    };
    let all = mdae.equations.iter_enumerated();
    all.map(|(id, it)| of(id).unwrap_or_else(|| new(it, &mut outline)))
        .collect()
}

/// Makes outlines of expressions.
#[derive(Default)]
struct Outline {
    /// Nodes of the list that is being made that were met before.
    seen: FxHashSet<*const Kind>,
    /// Of the expression at hand.
    branches: FxHashMap<*const Kind, Expr>,
}

impl Outline {
    /// What of an expression is to be seen in its incidence and in the conditions it depends on.
    fn of(&mut self, expr: &Expr) -> Expr {
        match expr.kind() {
            Kind::Var(_) | Kind::Cond(_) => expr.clone(),
            _ => {
                self.branches.clear();
                self.list(expr, None)
            }
        }
    }

    /// A list of what occurs in `expr`; `mark` tells it from other lists.
    fn list(&mut self, expr: &Expr, mark: Option<Name>) -> Expr {
        let outer = std::mem::take(&mut self.seen);
        let mut items: Vec<Expr> = Vec::new();
        let mut stack = vec![expr];
        while let Some(node) = stack.pop() {
            match node.kind() {
                Kind::Const(_) | Kind::Time | Kind::Param(_) | Kind::Text(_) => {}
                Kind::Var(_) | Kind::Cond(_) => items.push(node.clone()),
                Kind::Call(function, _) if crate::loops::chooses(function) => {
                    items.push(self.inner(node));
                }
                Kind::Sum(inner) | Kind::Prod(inner) | Kind::Call(_, inner) => {
                    if self.seen.insert(node.kind()) {
                        stack.extend(inner.iter().rev());
                    }
                }
                Kind::Pow(base, _) => stack.push(base),
                Kind::If(..) | Kind::Relation(..) => items.push(self.inner(node)),
            }
        }
        self.seen = outer;
        if let ([only], None) = (items.as_slice(), mark) {
            return only.clone();
        }
        items.extend(mark.map(|mark| Expr::new(Kind::Text(mark))));
        let list = Func {
            name: Name::new("list"),
            partials: Box::default(),
        };
        Expr::new(Kind::Call(list, items.into()))
    }

    fn inner(&mut self, node: &Expr) -> Expr {
        let address: *const Kind = node.kind();
        if let Some(known) = self.branches.get(&address) {
            return known.clone();
        }
        let new = match node.kind() {
            Kind::If(condition, then, otherwise) => {
                let first = self.list(then, None);
                let second = match same(then, otherwise) {
                    true => first.clone(),
                    false => self.list(otherwise, Some(Name::new("other"))),
                };
                Expr::new(Kind::If(*condition, first, second))
            }
            Kind::Relation(_, left, right) => {
                let sides = (self.list(left, None), self.list(right, None));
                Expr::new(Kind::Relation(RelOp::Less, sides.0, sides.1))
            }
            Kind::Call(function, args) => {
                let args: Vec<Expr> = args.iter().map(|arg| self.list(arg, None)).collect();
                Expr::new(Kind::Call(function.clone(), args.into()))
            }
            _ => node.clone(),
        };
        self.branches.insert(address, new.clone());
        new
    }
}

/// Whether the branches of an `if` are equal as polynomials, if they are small.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    let limits = Limits {
        terms: 32,
        ..Limits::default()
    };
    crate::incidence::reads_the_same(a, b)
        && matches!((normal_form(a, limits), normal_form(b, limits)), (Ok(a), Ok(b)) if a == b)
}
