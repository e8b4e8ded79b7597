//! Elimination before the analysis: derivatives by another name, aliases, constants.
//!
//! Modelica has first derivatives only, so models say `der(x) = v`. Left in place, such an equation would
//! make positions and velocities compete for the same instant of an array. For every unguarded equation
//! `a·(der(x) − v) = 0` with a constant `a ≠ 0`, `v` becomes `x'` and `der(v)` becomes `x''` everywhere.
//! Connections make many equations `a = b`, `a + b = 0` and `a = 0` that say as little; between variables of
//! components they go the same way.
//! Index and degrees of freedom do not change, and the names are mapped back in every report.
//!
//! One thing can get lost: that `x` is differentiated at all. Where no other equation that always holds
//! mentions `x'` (`u` is a step and `y = der(u)` an output), the definition of `v` stays, and `v` with it.

use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::{EqId, Equation, MDae, VarKind};
use modeshift_mdae::sym::{
    At, Expr, Kind, Limits, Rational, VarId, VarRef, contains_condition, for_each_node,
    normal_form, substitute, variables,
};

/// What an eliminated variable is.
#[derive(Clone, Debug)]
enum Image {
    /// `±x'^m`
    Variable {
        negative: bool,
        var: VarId,
        order: u32,
    },
    /// Numbers and parameters.
    Constant(Expr),
}

/// Which variables are others in disguise.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    images: FxHashMap<VarId, Image>,
    /// `(x, m) ↦ v`: the model's name of `x'^m`.
    names: FxHashMap<(VarId, u32), VarId>,
    /// `(x, m) ↦ v` where `v` is `−x'^m`.
    reversed: FxHashMap<(VarId, u32), VarId>,
    dropped: FxHashSet<EqId>,
    /// Definitions of derivatives in the order in which they were found.
    derivatives: Vec<(EqId, VarId)>,
    /// Definitions of derivatives that nothing else mentions, in terms of the variables that are left.
    kept: FxHashMap<EqId, Expr>,
    /// Equations that always hold, without conditions, in terms of the variables that are left.
    left: FxHashMap<EqId, Expr>,
}

/// An occurrence up to sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed {
    pub negative: bool,
    pub occurrence: VarRef,
}

impl Elimination {
    /// Passes over the small unguarded equations until nothing more disappears: as many as definitions
    /// are chained.
    pub fn of(mdae: &MDae) -> Self {
        let mut this = Self::default();
        let mut candidates: Vec<(EqId, Expr)> = mdae
            .equations
            .iter_enumerated()
            .filter(|(_, e)| e.is_long() && e.guard == Conds::TRUE)
            .map(|(id, e)| (id, e.residual()))
            .filter(|(_, residual)| is_candidate(residual))
            .collect();
        let ranks = Ranks::of(mdae);
        let mut first = true;
        loop {
            let before = this.dropped.len();
            candidates.retain_mut(|(id, residual)| {
                let left = this.apply(residual);
                // One that says what it said before is not dropped now, either.
                if !first && left == *residual {
                    return true;
                }
                *residual = left;
                !this.try_drop(&ranks, *id, residual)
            });
            first = false;
            if this.dropped.len() == before {
                break;
            }
        }
        this.name_derivatives();
        this.keep_only_mentions(mdae);
        this
    }

    /// Names of derivatives refer to the variables that are left in the end.
    fn name_derivatives(&mut self) {
        for &(_, var) in &self.derivatives {
            if let Ok(Signed {
                negative,
                occurrence,
            }) = self.forward(VarRef::now(var, 0))
            {
                let key = (occurrence.var, occurrence.order);
                let names = if negative {
                    &mut self.reversed
                } else {
                    &mut self.names
                };
                names.entry(key).or_insert(var);
            }
        }
    }

    /// Keeps the definitions without which a mode could forget that a variable is differentiated.
    fn keep_only_mentions(&mut self, mdae: &MDae) {
        let mut covered: FxHashMap<VarId, u32> = FxHashMap::default();
        let always = mdae
            .equations
            .iter_enumerated()
            .filter(|(id, e)| e.is_long() && e.guard == Conds::TRUE && !self.dropped.contains(id));
        let mut left: FxHashMap<EqId, Expr> = FxHashMap::default();
        for (id, equation) in always {
            let residual = equation.residual();
            if contains_condition(&residual) {
                continue;
            }
            let residual = self.apply(&residual);
            for_each_node(&residual, &mut |node| {
                if let Kind::Var(occurrence) = node.kind() {
                    let order = covered.entry(occurrence.var).or_insert(0);
                    *order = (*order).max(occurrence.order);
                }
                true
            });
            left.insert(id, residual);
        }
        self.left = left;
        let mut definitions: Vec<(EqId, VarId, Signed)> = Vec::new();
        for &(id, var) in &self.derivatives {
            if let Ok(signed) = self.forward(VarRef::now(var, 0)) {
                definitions.push((id, var, signed));
            }
        }
        definitions.sort_by_key(|(id, _, signed)| (u32::MAX - signed.occurrence.order, *id));
        for (id, var, signed) in definitions {
            let known = covered.entry(signed.occurrence.var).or_insert(0);
            if *known >= signed.occurrence.order {
                continue;
            }
            *known = signed.occurrence.order;
            let derivative = Expr::var_ref(signed.occurrence);
            let derivative = if signed.negative {
                derivative.neg()
            } else {
                derivative
            };
            self.dropped.remove(&id);
            self.kept.insert(id, derivative.sub(&Expr::var(var)));
        }
    }

    /// The residual of an equation that is left, in terms of the variables that are left.
    pub fn residual(&self, id: EqId, equation: &Equation) -> Expr {
        match self.kept.get(&id).or_else(|| self.left.get(&id)) {
            Some(residual) => residual.clone(),
            None => self.apply(&equation.residual()),
        }
    }

    /// `residual` is in terms of the variables that are left.
    fn try_drop(&mut self, ranks: &Ranks<'_>, id: EqId, residual: &Expr) -> bool {
        let Some(terms) = linear_terms(residual) else {
            return false;
        };
        let Some((var, image)) = solved(ranks, &terms) else {
            return false;
        };
        if matches!(image, Image::Variable { order: 1.., .. }) {
            self.derivatives.push((id, var));
        }
        self.images.insert(var, image);
        self.dropped.insert(id);
        true
    }

    pub fn is_dropped(&self, equation: EqId) -> bool {
        self.dropped.contains(&equation)
    }

    pub fn is_eliminated(&self, var: VarId) -> bool {
        self.images.contains_key(&var)
    }

    /// The variables that were eliminated in favour of others, in order.
    pub fn eliminated(&self) -> Vec<VarId> {
        let mut list: Vec<VarId> = self.images.keys().copied().collect();
        list.sort_unstable();
        list
    }

    /// The expression in terms of the variables that are left.
    pub fn apply(&self, expr: &Expr) -> Expr {
        if self.images.is_empty() {
            return expr.clone();
        }
        substitute(expr, &mut |occurrence| {
            if !self.images.contains_key(&occurrence.var) {
                return None;
            }
            Some(match self.forward(occurrence) {
                Ok(Signed {
                    negative,
                    occurrence,
                }) => {
                    let value = Expr::var_ref(occurrence);
                    if negative { value.neg() } else { value }
                }
                Err(constant) => constant,
            })
        })
    }

    /// An occurrence of the model as the analysis sees it; `Err` with its value if it is constant.
    pub fn forward(&self, occurrence: VarRef) -> Result<Signed, Expr> {
        let mut current = Signed {
            negative: false,
            occurrence,
        };
        // Images refer to variables that were left at the time, which may have gone later.
        while let Some(image) = self.images.get(&current.occurrence.var) {
            match image {
                Image::Variable {
                    negative,
                    var,
                    order,
                } => {
                    current.negative ^= negative;
                    current.occurrence.var = *var;
                    current.occurrence.order += order;
                }
                Image::Constant(value) if current.occurrence.order == 0 => {
                    return Err(if current.negative {
                        value.neg()
                    } else {
                        value.clone()
                    });
                }
                Image::Constant(_) => return Err(Expr::zero()),
            }
        }
        Ok(current)
    }

    /// An occurrence in the model's own names up to sign, for lists of names: `x'` is `v` if `v` is `−x'`.
    pub fn listed(&self, occurrence: VarRef) -> VarRef {
        let found = self.backward(occurrence);
        if found != occurrence || occurrence.order == 0 {
            return found;
        }
        named(&self.reversed, occurrence)
    }

    /// An occurrence of the analysis in the model's own names: `x''` is `der(v)` if `v` is `x'`.
    pub fn backward(&self, occurrence: VarRef) -> VarRef {
        named(&self.names, occurrence)
    }
}

/// An occurrence by the highest of its derivatives that has a name.
fn named(names: &FxHashMap<(VarId, u32), VarId>, occurrence: VarRef) -> VarRef {
    {
        let named = (1..=occurrence.order)
            .rev()
            .find_map(|order| Some((*names.get(&(occurrence.var, order))?, order)));
        match named {
            Some((var, order)) => VarRef {
                var,
                order: occurrence.order - order,
                ..occurrence
            },
            None => occurrence,
        }
    }
}

/// Only short sums can be definitions of this kind.
fn is_candidate(residual: &Expr) -> bool {
    let short = match residual.kind() {
        Kind::Sum(terms) => terms.len() <= 3,
        Kind::Var(_) | Kind::Prod(_) => true,
        _ => false,
    };
    short && !contains_condition(residual)
}

/// A sum of variables with numeric coefficients and a constant part.
struct LinearTerms {
    variables: Vec<(VarRef, Rational)>,
    constant: Expr,
}

fn linear_terms(residual: &Expr) -> Option<LinearTerms> {
    match plain_terms(residual) {
        Some(Plain::Linear(terms)) => return Some(terms),
        Some(Plain::Product) => return None,
        None => {}
    }
    let polynomial = normal_form(
        residual,
        Limits {
            terms: 16,
            power: 2,
        },
    )
    .ok()?;
    let mut terms = LinearTerms {
        variables: Vec::new(),
        constant: Expr::zero(),
    };
    let mut constants = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        match monomial.as_slice() {
            [(generator, exponent)] if generator.as_var().is_some() && exponent.is_one() => {
                terms
                    .variables
                    .push((generator.as_var()?, coefficient.clone()));
            }
            factors => {
                let constant = factors.iter().all(|(generator, _)| is_constant(generator));
                if !constant || terms.variables.len() > 2 {
                    return None;
                }
                let powers = factors.iter().map(|(g, e)| g.pow(e.clone()));
                let term = [Expr::constant(coefficient.clone())]
                    .into_iter()
                    .chain(powers);
                constants.push(Expr::product(term));
            }
        }
    }
    terms.constant = Expr::sum(constants);
    Some(terms)
}

/// What a sum of monomials can be seen to be without a normal form.
enum Plain {
    Linear(LinearTerms),
    /// A variable is multiplied by something that is no number.
    Product,
}

/// Looks at a sum of variables with numbers in front of them and at most one product of variables and parameters, as most
/// connections and laws of components are. `None` for others.
fn plain_terms(residual: &Expr) -> Option<Plain> {
    let terms = match residual.kind() {
        Kind::Sum(terms) => &terms[..],
        _ => std::slice::from_ref(residual),
    };
    let mut seen: Vec<&[Expr]> = Vec::with_capacity(terms.len());
    let mut variables: Vec<(VarRef, Rational)> = Vec::with_capacity(terms.len());
    let mut is_product = false;
    for term in terms {
        let factors = match term.kind() {
            Kind::Prod(factors) => &factors[..],
            _ => std::slice::from_ref(term),
        };
        let (number, atoms) = match factors {
            [first, rest @ ..] if first.as_const().is_some() => (first.as_const(), rest),
            all => (None, all),
        };
        let is_atom = |it: &Expr| matches!(it.kind(), Kind::Var(_) | Kind::Param(_));
        if seen.contains(&atoms)
            || !atoms.iter().all(is_atom)
            || number.is_some_and(|number| number.is_zero())
        {
            return None;
        }
        seen.push(atoms);
        match atoms {
            [one] => {
                let factor = number.cloned().unwrap_or_else(Rational::one);
                variables.push((one.as_var()?, factor));
            }
            // Two products may be the same in another order.
            _ if is_product || atoms.iter().all(|it| it.as_var().is_none()) => return None,
            _ => is_product = true,
        }
    }
    Some(match is_product {
        true => Plain::Product,
        false => Plain::Linear(LinearTerms {
            variables,
            constant: Expr::zero(),
        }),
    })
}

/// Numbers and parameters only.
fn is_constant(expr: &Expr) -> bool {
    let mut constant = variables(expr).is_empty();
    for_each_node(expr, &mut |node| {
        constant &= !matches!(node.kind(), Kind::Time | Kind::Cond(_) | Kind::If(..));
        constant
    });
    constant
}

/// The variable that the equation defines in terms of the other one, or as a constant.
fn solved(ranks: &Ranks<'_>, terms: &LinearTerms) -> Option<(VarId, Image)> {
    let now = |v: &VarRef| v.at == At::Now && ranks.is_free(v.var);
    match terms.variables.as_slice() {
        [(v, a)] if now(v) && v.order == 0 && ranks.is_inner(v.var) => {
            let factor = Rational::int(-1).checked_div(a)?;
            Some((v.var, Image::Constant(terms.constant.scale(&factor))))
        }
        [(v, a), (w, b)] if now(v) && now(w) && terms.constant.is_zero() && v.var != w.var => {
            let same = a == b;
            if !same && *a != -b {
                return None;
            }
            let (gone, kept) = match (v.order, w.order) {
                (0, 0)
                    if ranks.may_go(w.var)
                        && (ranks.keeps(v.var, w.var) || !ranks.may_go(v.var)) =>
                {
                    (w, v)
                }
                (0, 0) if ranks.may_go(v.var) => (v, w),
                (0, 1..) => (v, w),
                (1.., 0) => (w, v),
                _ => return None,
            };
            let image = Image::Variable {
                negative: same,
                var: kept.var,
                order: kept.order,
            };
            Some((gone.var, image))
        }
        _ => None,
    }
}

/// Which of two names for the same thing a modeller would rather read.
struct Ranks<'m> {
    mdae: &'m MDae,
    differentiated: FxHashSet<VarId>,
}

impl<'m> Ranks<'m> {
    fn of(mdae: &'m MDae) -> Self {
        let mut differentiated = FxHashSet::default();
        for equation in &mdae.equations {
            for side in [&equation.lhs, &equation.rhs] {
                for_each_node(side, &mut |node| {
                    if let Kind::Var(occurrence) = node.kind()
                        && occurrence.order > 0
                    {
                        differentiated.insert(occurrence.var);
                    }
                    true
                });
            }
        }
        Self {
            mdae,
            differentiated,
        }
    }

    fn is_free(&self, var: VarId) -> bool {
        let variable = self.mdae.variable(var);
        variable.kind == VarKind::Unknown && !variable.discrete
    }

    /// Variables of components may disappear; the model's own variables keep their equations.
    fn is_inner(&self, var: VarId) -> bool {
        self.mdae.variable(var).name.contains('.')
    }

    /// Two states that are always equal keep their names, and their start values their conflict.
    fn may_go(&self, var: VarId) -> bool {
        let is_state =
            self.differentiated.contains(&var) && self.mdae.variable(var).start.is_some();
        self.is_inner(var) && !is_state
    }

    /// Whether `a` is the better name: of a state, with a start value, less deep, shorter.
    fn keeps(&self, a: VarId, b: VarId) -> bool {
        let rank = |var: VarId| {
            let variable = self.mdae.variable(var);
            let depth = variable.name.matches('.').count();
            (
                !self.differentiated.contains(&var),
                variable.start.is_none(),
                depth,
                variable.name.len(),
                var,
            )
        };
        rank(a) < rank(b)
    }
}
