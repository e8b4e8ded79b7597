//! The model's own names for what the analysis computes with.

use crate::array::{Cell, RowKind};
use crate::eliminate::Elimination;
use crate::explore::PartResult;
use crate::system::{Meaning, RestartSystem};
use crate::terms::Order;
use modeshift_mdae::model::{EqId, MDae};
use modeshift_mdae::sym::{
    At, CondId, Expr, Kind, Names, ParamId, Style, VarRef, latex_name, print,
};
use num_traits::One as _;

/// Names for one part of a change.
pub struct PartNames<'a> {
    pub mdae: &'a MDae,
    pub elimination: &'a Elimination,
    pub result: &'a PartResult,
}

impl PartNames<'_> {
    /// A variable of the part as an occurrence of the model: `vx`, not `der(x)`.
    pub fn model_occurrence(&self, local: VarRef) -> VarRef {
        let var = self.result.part.vars[local.var.0 as usize];
        self.elimination.backward(VarRef { var, ..local })
    }

    /// `w1`, `der(w1)`.
    pub fn state(&self, local: VarRef) -> String {
        let occurrence = self.model_occurrence(VarRef {
            at: At::Now,
            ..local
        });
        derivative_name(&self.mdae.variable(occurrence.var).name, occurrence.order)
    }

    /// The name of a state in lists: `v` for `der(x)` where the model says `der(x) = -v`.
    pub fn listed(&self, local: VarRef) -> String {
        let var = self.result.part.vars[local.var.0 as usize];
        let occurrence = self.elimination.listed(VarRef {
            var,
            at: At::Now,
            ..local
        });
        derivative_name(&self.mdae.variable(occurrence.var).name, occurrence.order)
    }

    /// The equation of the model that a row comes from.
    pub fn source(&self, row: RowKind) -> Option<EqId> {
        let part = &self.result.part;
        let source = match row {
            RowKind::Equation { equation, .. } => part.change.after.get(equation)?.source,
            RowKind::Instant { equation } => *self.result.analysis.instant_sources.get(equation)?,
            RowKind::Law { law } => part.change.transient.as_ref()?.laws.get(law)?.source,
            RowKind::Euler(_) => return None,
        };
        part.sources.get(source).copied()
    }

    pub fn print(&self, expr: &Expr, style: Style) -> String {
        print(expr, self, style)
    }

    /// `left = right` with the negative terms on the right.
    pub fn print_equation(&self, residual: &Expr, style: Style) -> String {
        let terms: Vec<Expr> = match residual.kind() {
            Kind::Sum(terms) => terms.to_vec(),
            _ => vec![residual.clone()],
        };
        let (right, left): (Vec<Expr>, Vec<Expr>) = terms.into_iter().partition(is_negative);
        let (left, right) = (Expr::sum(left), Expr::sum(right).neg());
        if left.is_zero() {
            return format!("{} = 0", self.print(&right, style));
        }
        format!(
            "{} = {}",
            self.print(&left, style),
            self.print(&right, style)
        )
    }

    /// The name of an occurrence as a LaTeX symbol, with dots for derivatives.
    fn latex(&self, local: VarRef) -> String {
        let occurrence = self.model_occurrence(VarRef {
            at: At::Now,
            ..local
        });
        let name = latex_name(&self.mdae.variable(occurrence.var).name);
        match occurrence.order {
            0 => name,
            1 => format!("\\dot{{{name}}}"),
            2 => format!("\\ddot{{{name}}}"),
            order => format!("{name}^{{({order})}}"),
        }
    }

    /// Whether a weight belongs to a weaker impulse beside a stronger one of the same variable.
    fn is_lower(&self, occurrence: VarRef, order: Order) -> bool {
        let highest = self.result.analysis.impulsive.get(&occurrence);
        highest.is_some_and(|highest| order < *highest)
    }

    fn system(&self) -> &RestartSystem {
        &self.result.analysis.system
    }

    fn unknown(&self, cell: Cell, meaning: Meaning, style: Style) -> String {
        let occurrence = VarRef::now(cell.var, cell.order);
        let name = self.state(occurrence);
        let latex = |suffix: &str| format!("{{{}}}^{{{suffix}}}", self.latex(occurrence));
        match (meaning, style) {
            (Meaning::Right, Style::Math) => format!("{name}⁺"),
            (Meaning::Right, Style::Latex) => latex("+"),
            (Meaning::Right, Style::Modelica) => name,
            (Meaning::Weight(order), _) if self.is_lower(occurrence, order) => match style {
                Style::Math => format!("{name}↓{}", order_text(order)),
                Style::Latex => latex(&format!("\\downarrow {}", order_text(order))),
                Style::Modelica => format!("impulse({name}, {})", order_text(order)),
            },
            (Meaning::Weight(_), Style::Math) => format!("{name}↓"),
            (Meaning::Weight(_), Style::Latex) => latex("\\downarrow"),
            (Meaning::Weight(_), Style::Modelica) => format!("impulse({name})"),
            (Meaning::Auxiliary, Style::Latex) => latex(&format!("\\bullet {}", cell.instant)),
            (Meaning::Auxiliary, _) if cell.instant == 0 => format!("{name}*"),
            (Meaning::Auxiliary, _) => format!("{name}*{}", cell.instant),
        }
    }
}

fn is_negative(term: &Expr) -> bool {
    match term.kind() {
        Kind::Const(value) => value.is_negative(),
        Kind::Prod(factors) => factors[0]
            .as_const()
            .is_some_and(|value| value.is_negative()),
        _ => false,
    }
}

/// `der(der(x))` for order 2.
pub fn derivative_name(name: &str, order: u32) -> String {
    (0..order).fold(name.to_owned(), |text, _| format!("der({text})"))
}

impl Names for PartNames<'_> {
    fn var(&self, occurrence: VarRef) -> String {
        self.state(occurrence)
    }

    fn param(&self, id: ParamId) -> String {
        self.mdae.parameter(id).name.to_string()
    }

    fn cond(&self, id: CondId) -> String {
        modeshift_mdae::print::condition(self.mdae, id)
    }

    fn occurrence(&self, occurrence: VarRef, style: Style) -> String {
        let system = self.system();
        if let Some(index) = occurrence.var.0.checked_sub(system.base)
            && let Some(unknown) = system.unknowns.get(index as usize)
        {
            return self.unknown(unknown.cell, unknown.meaning, style);
        }
        let name = self.state(occurrence);
        match (occurrence.at, style) {
            (At::Left, Style::Math) => format!("{name}⁻"),
            (At::Left, Style::Modelica) => format!("pre({name})"),
            (At::Left, Style::Latex) => format!("{{{}}}^{{-}}", self.latex(occurrence)),
            (At::Now, Style::Latex) => self.latex(occurrence),
            (At::Now, _) => name,
        }
    }
}

/// `1`, `1/3`.
pub fn order_text(order: Order) -> String {
    if order.denom().is_one() {
        order.numer().to_string()
    } else {
        format!("{}/{}", order.numer(), order.denom())
    }
}
