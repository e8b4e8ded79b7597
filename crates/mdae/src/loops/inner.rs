//! Comparisons inside expressions: `abs`, `min`, `max`, and what `noEvent` keeps from being a condition.
//!
//! They have no name and no memory, but they choose between expressions as conditions do. So each is an unknown with an
//! equation that depends on one more comparison. A comparison of expressions that depend on conditions gets an unknown for what it
//! compares.

use super::selected::{LoopRow, Origin};
use super::system::{Detail, System};
use crate::model::ModeId;
use crate::sym::{Expr, Func, Kind, RelOp, VarId, VarRef, for_each_node, substitute, variables};
use modeshift_base::{FxHashMap, FxHashSet, Name};

/// Choices inside the expressions of one loop.
const MAX_CHOICES: usize = 16;

/// A comparison that is no condition of the model.
pub(super) struct Inner {
    /// What is above zero (or zero, unless strict) where it holds.
    pub(super) compared: VarRef,
    pub(super) strict: bool,
}

/// The unknowns for expressions of a loop.
#[derive(Default)]
pub(super) struct Named {
    /// In the place of which expressions they are, as these are written.
    exprs: FxHashMap<VarRef, Expr>,
    choices: FxHashMap<Expr, VarRef>,
    pub(super) comparisons: Vec<Inner>,
    rows: Vec<LoopRow>,
}

/// `compared op 0`, and the expressions between which that chooses.
struct Choice {
    compared: Expr,
    strict: bool,
    then: Expr,
    otherwise: Expr,
}

impl System<'_> {
    /// The equations and the comparisons with unknowns for what they choose, and the equations of these unknowns.
    pub(super) fn name_choices(
        &mut self,
        rows: &mut Vec<LoopRow>,
        compared: &mut [(ModeId, Expr)],
    ) {
        for (_, residual) in rows.iter_mut() {
            *residual = self.with_choices(residual);
            if self.detail == Detail::Closer {
                *residual = self.with_known_choices(residual);
            }
        }
        for (_, difference) in compared.iter_mut() {
            let as_written = difference.clone();
            *difference = self.with_choices(difference);
            if self.detail == Detail::Closer {
                *difference = self.with_known_choices(difference);
            }
            if has_condition(difference) {
                let name = self.name(&as_written);
                let row = minus(difference, name);
                self.named.rows.push((Origin::Compared, row));
                *difference = Expr::var_ref(name);
            }
        }
        rows.append(&mut self.named.rows);
    }

    fn with_choices(&mut self, expr: &Expr) -> Expr {
        let mut any = false;
        for_each_node(expr, &mut |node| {
            any |= matches!(node.kind(), Kind::Call(..));
            !any
        });
        if !any {
            return expr.clone();
        }
        super::calls::replaced(expr, &mut |call, args| {
            let choice = choice(call, args)?;
            if let Some(known) = self.named.choices.get(call) {
                return Some(Expr::var_ref(*known));
            }
            let reads = variables(call);
            let depends = reads.iter().any(|read| self.unknowns.contains_key(read));
            match depends {
                true => self.chosen(call, choice),
                false => None,
            }
        })
    }

    /// Also what is chosen among known values, where the equations are linear in it and nothing jumps: then it is known how these values
    /// have to do with each other.
    fn with_known_choices(&mut self, expr: &Expr) -> Expr {
        match expr.kind() {
            Kind::Sum(items) => {
                let items: Vec<Expr> = items.iter().map(|it| self.with_known_choices(it)).collect();
                Expr::sum(items)
            }
            Kind::Prod(items) => match &**items {
                [number, only] if matches!(number.kind(), Kind::Const(_)) => {
                    Expr::product([number.clone(), self.with_known_choices(only)])
                }
                _ => expr.clone(),
            },
            Kind::If(condition, then, otherwise) => {
                let (then, otherwise) = (
                    self.with_known_choices(then),
                    self.with_known_choices(otherwise),
                );
                Expr::if_else(*condition, &then, &otherwise)
            }
            Kind::Call(function, args)
                if matches!(function.name.as_str(), "abs" | "min" | "max") =>
            {
                let named = match self.named.choices.get(expr) {
                    Some(known) => Some(Expr::var_ref(*known)),
                    None => choice(expr, args).and_then(|choice| self.chosen(expr, choice)),
                };
                named.unwrap_or_else(|| expr.clone())
            }
            _ => expr.clone(),
        }
    }

    /// An unknown for what a call chooses.
    fn chosen(&mut self, call: &Expr, choice: Choice) -> Option<Expr> {
        let number = self.named.comparisons.len();
        if number == MAX_CHOICES {
            return None;
        }
        let (value, compared) = (self.name(call), self.name(&choice.compared));
        self.named.choices.insert(call.clone(), value);
        let otherwise = self.with_choices(&choice.otherwise);
        self.add_choice(
            Inner {
                compared,
                strict: choice.strict,
            },
            [
                minus(&choice.compared, compared),
                minus(&choice.then, value),
                minus(&otherwise, value),
            ],
        );
        Some(Expr::var_ref(value))
    }

    /// One more comparison with its rows: for what it compares, where it holds, and where it does not.
    pub(super) fn add_choice(&mut self, inner: Inner, rows: [Expr; 3]) {
        let number = self.named.comparisons.len();
        self.named.comparisons.push(inner);
        let origins = [
            Origin::Compared,
            Origin::Then(number),
            Origin::Otherwise(number),
        ];
        self.named.rows.extend(origins.into_iter().zip(rows));
    }

    /// A new unknown in the place of an expression.
    pub(super) fn name(&mut self, expr: &Expr) -> VarRef {
        let n_variables = self.analysis.mdae.variables.len();
        let number = n_variables + self.named.exprs.len();
        let name = VarRef::now(VarId(u32::try_from(number).unwrap_or(u32::MAX)), 0);
        let as_written = self.as_written(expr);
        self.named.exprs.insert(name, as_written);
        self.unknowns.insert(name, ());
        name
    }

    pub(super) fn is_named(&self, read: VarRef) -> bool {
        self.named.exprs.contains_key(&read)
    }

    /// The expression without the unknowns of this module.
    pub(super) fn as_written(&self, expr: &Expr) -> Expr {
        substitute(expr, &mut |read| self.named.exprs.get(&read).cloned())
    }

    /// Unknowns of the model by which expressions choose.
    pub(super) fn shown_unknowns(&self) -> Vec<VarRef> {
        let mut found: Vec<VarRef> = Vec::new();
        for inner in &self.named.comparisons {
            let compared = &self.named.exprs[&inner.compared];
            let own = |read: &VarRef| self.unknowns.contains_key(read) && !self.is_named(*read);
            found.extend(variables(compared).into_iter().filter(own));
        }
        let mut seen = FxHashSet::default();
        found.retain(|read| seen.insert(*read));
        found
    }

    /// The number by which an inner comparison is known beside the conditions of the model.
    pub(super) fn inner_mode(&self, number: usize) -> ModeId {
        ModeId::new(self.analysis.mdae.modes.len() + number)
    }

    pub(super) fn is_inner(&self, mode: ModeId) -> bool {
        mode.index() >= self.analysis.mdae.modes.len()
    }
}

fn minus(expr: &Expr, name: VarRef) -> Expr {
    expr.sub(&Expr::var_ref(name))
}

pub(super) fn has_condition(expr: &Expr) -> bool {
    expr.is_conditional()
}

/// The functions that choose between their arguments by a comparison; `if` is what stood in `noEvent`.
const CHOOSING: [&str; 5] = ["abs", "sign", "min", "max", "if"];

/// Whether a function may choose between expressions without a condition that has a name.
pub(crate) fn chooses(function: &Func) -> bool {
    function.partials.is_empty() && CHOOSING.contains(&function.name.as_str())
}

/// The part of a call of such a function by which it chooses.
pub(crate) fn chosen_by<'a>(function: &Func, args: &'a [Expr]) -> &'a [Expr] {
    match function.name.as_str() {
        "if" => args.get(..1).unwrap_or(args),
        _ => args,
    }
}

/// What a call chooses, if that is all it does.
fn choice(call: &Expr, args: &[Expr]) -> Option<Choice> {
    let Kind::Call(function, _) = call.kind() else {
        return None;
    };
    if !chooses(function) {
        return None;
    }
    let (compared, strict, then, otherwise) = match (function.name.as_str(), args) {
        ("abs", [x]) => (x.clone(), false, x.clone(), x.neg()),
        // Between the two it is zero.
        ("sign", [x]) => {
            let below = Expr::relation(RelOp::Less, x, &Expr::zero());
            let otherwise = [below, Expr::int(-1), Expr::zero()];
            let otherwise = Expr::apply(
                Func {
                    name: Name::new("if"),
                    partials: Box::default(),
                },
                otherwise,
            );
            (x.clone(), true, Expr::one(), otherwise)
        }
        ("max", [a, b]) => (a.sub(b), false, a.clone(), b.clone()),
        ("min", [a, b]) => (b.sub(a), false, a.clone(), b.clone()),
        ("if", [condition, then, otherwise]) => {
            let Kind::Relation(op, a, b) = condition.kind() else {
                return None;
            };
            let (compared, strict) = match op {
                RelOp::Greater => (a.sub(b), true),
                RelOp::GreaterEqual => (a.sub(b), false),
                RelOp::Less => (b.sub(a), true),
                RelOp::LessEqual => (b.sub(a), false),
                RelOp::Equal | RelOp::NotEqual => return None,
            };
            (compared, strict, then.clone(), otherwise.clone())
        }
        _ => return None,
    };
    Some(Choice {
        compared,
        strict,
        then,
        otherwise,
    })
}
