//! What a change starts from: left limits that the mode before allows, and the equations of the instant.

use super::*;

pub(super) struct Instant {
    pub(super) old: Values,
    /// The equations of the instant, if laws fire that are more than assignments.
    pub(super) equations: Vec<Expr>,
    pub(super) assigned: Vec<VarId>,
    /// What `reinit` sets.
    pub(super) reset: Vec<VarId>,
}

impl Check<'_> {
    pub(super) fn name(&self, o: VarRef) -> String {
        let name = &self.mdae().variable(o.var).name;
        modeshift_restart::names::derivative_name(name, o.order)
    }

    /// The functions that are zero because their sign flips.
    pub(super) fn crossings(&self) -> Vec<Expr> {
        let parts = self.transition.parts.iter();
        let any = parts.map(|&part| &self.found.parts[part]);
        if any
            .clone()
            .all(|result| result.part.change.crossings.is_empty())
        {
            return Vec::new();
        }
        let mdae = self.mdae();
        let flipped = self.transition.flipped.iter();
        let function = flipped.filter_map(|&id| match &mdae.modes[id].def {
            ModeDef::Predicate(predicate) => Some(predicate.lhs.sub(&predicate.rhs)),
            _ => None,
        });
        function.take(1).collect()
    }

    pub(super) fn left(&self, seed: u64) -> Option<(Point, Given)> {
        let mdae = self.mdae();
        let mut random = Random(seed.wrapping_mul(977) + 13);
        let mut params = parameter_values(mdae, &FxHashMap::default());
        for id in (0..mdae.parameters.len() as u32).map(modeshift_mdae::sym::ParamId) {
            params.entry(id).or_insert_with(|| random.number());
        }
        let mut point = Point {
            params: params.clone(),
            time: 0.25 * seed as f64,
            ..Point::default()
        };
        for crossing in self.crossings().iter().filter(|g| variables(g).is_empty()) {
            point.time = zero_in_time(crossing, &point)?;
        }
        let from = self.transition.from.as_ref()?;
        let time = point.time;
        let point = left_limits(mdae, from, &self.crossings(), point, &mut random)?;
        let mut given = Given {
            params,
            time,
            ..Given::default()
        };
        for (&occurrence, value) in &point.left {
            let known = mdae.variable(occurrence.var).kind != VarKind::Unknown;
            if occurrence.order == 0 || known {
                given.left.insert(occurrence, value.to_f64());
            }
        }
        // What the mode before says about derivatives.
        let equations = mode_equations(mdae, from);
        for o in equations.iter().flat_map(variables) {
            if o.at == At::Now {
                given.left.insert(o, point.left(o).to_f64());
            }
        }
        Some((point, given))
    }

    /// What happens at the instant before the steps: laws, values that are reset or assigned.
    pub(super) fn instant(&self, point: &Point) -> Result<Instant, Trouble> {
        let mdae = self.mdae();
        let mut old: Values = FxHashMap::default();
        for var in mdae.variable_ids() {
            old.insert(var, point.left(VarRef::now(var, 0)));
        }
        let mut instant = Instant {
            old,
            equations: Vec::new(),
            assigned: Vec::new(),
            reset: Vec::new(),
        };
        let Some(event) = self.event() else {
            return Ok(instant);
        };
        let truth = mdae.conds.evaluate(&event.instant);
        let resolved = |expr: &Expr| resolve(expr, &mut |id| truth.get(id.0 as usize).copied());
        let redundant = self.redundant();
        let mut laws = Vec::new();
        for &law in event.laws.iter().filter(|law| !redundant.contains(law)) {
            let equation = &mdae.equations[law];
            let held = |side: &Expr| {
                let var = side.as_var().filter(|o| o.at == At::Now)?.var;
                (mdae.variable(var).kind == VarKind::Held).then_some(var)
            };
            let value = evaluate(&resolved(&equation.rhs), point).map_err(Trouble::Unknown)?;
            match (&equation.kind, held(&equation.lhs)) {
                (EquationKind::Reinit { variable, .. }, _) => {
                    instant.reset.push(*variable);
                    instant.old.insert(*variable, value);
                }
                (_, Some(var)) => {
                    instant.old.insert(var, value);
                    instant.assigned.push(var);
                }
                _ => laws.push(resolved(&equation.residual())),
            }
        }
        if !laws.is_empty() {
            instant.equations = mode_equations(mdae, &event.instant);
            instant.equations.extend(laws);
        }
        Ok(instant)
    }

    /// Moves what an equation of both modes ties to a variable that is reset: the two are one state.
    pub(super) fn move_tied(&self, point: &Point, instant: &mut Instant) {
        let mdae = self.mdae();
        let Some(from) = &self.transition.from else {
            return;
        };
        let before = mode_equations(mdae, from);
        let shared = mode_equations(mdae, &self.transition.to).into_iter();
        let shared: Vec<(Expr, Vec<VarRef>)> = shared
            .filter(|equation| before.contains(equation))
            .map(|equation| {
                let all = variables(&equation).into_iter();
                let unknown = all.filter(|o| is_unknown(mdae, o.var));
                (equation.clone(), unknown.collect())
            })
            .collect();
        let mut moved = instant.reset.clone();
        let mut next = 0;
        while let Some(&var) = moved.get(next) {
            next += 1;
            for (equation, read) in &shared {
                let partner = match read[..] {
                    [a, b] if a.order + b.order == 0 && a.var == var => b,
                    [a, b] if a.order + b.order == 0 && b.var == var => a,
                    _ => continue,
                };
                if moved.contains(&partner.var) {
                    continue;
                }
                let mut point = point.clone();
                if let Some(&value) = instant.old.get(&var) {
                    point.left.insert(VarRef::now(var, 0), value);
                }
                if let Some(value) = zero_of(equation, partner, &mut point) {
                    moved.push(partner.var);
                    instant.old.insert(partner.var, value);
                }
            }
        }
    }

    pub(super) fn event(&self) -> Option<Event> {
        let from = self.transition.from.as_ref()?;
        let flips: Vec<_> = self
            .transition
            .flipped
            .iter()
            .map(|&id| (id, !from[id.index()]))
            .collect();
        self.found.modes.follow(from, &flips)
    }

    /// Laws that say nothing new: they follow from the new mode, or hold before the instant.
    pub(super) fn redundant(&self) -> BTreeSet<EqId> {
        let mut list = BTreeSet::new();
        for &part in &self.transition.parts {
            let result = &self.found.parts[part];
            let Some(transient) = &result.part.change.transient else {
                continue;
            };
            let facts = result.analysis.facts.iter().map(|(row, _)| row);
            for row in result.analysis.redundant.iter().chain(facts) {
                if let RowKind::Law { law } = row {
                    list.insert(result.part.sources[transient.laws[*law].source]);
                }
            }
        }
        list
    }
}

/// Where an equation holds along one variable, by Newton's method from where it is.
fn zero_of(equation: &Expr, along: VarRef, point: &mut Point) -> Option<Double> {
    let slope = partial(equation, along);
    for _ in 0..60 {
        let residual = evaluate(equation, point).ok()?;
        let step = residual.over(evaluate(&slope, point).ok()?);
        let value = point.left(along).minus(step);
        point.left.insert(along, value);
        if step.size() <= 1e-28 * (1.0 + value.size()) {
            return Some(value);
        }
    }
    None
}

/// When a function of time alone is zero; it is linear in all models.
fn zero_in_time(function: &Expr, point: &Point) -> Option<f64> {
    let at = |time: f64| -> Option<f64> {
        let point = Point {
            time,
            ..point.clone()
        };
        Some(evaluate(function, &point).ok()?.to_f64())
    };
    let time = -at(0.0)? / (at(1.0)? - at(0.0)?);
    time.is_finite().then_some(time)
}
