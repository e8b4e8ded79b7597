//! The numerical experiment: steps of two sizes into the new mode, and what they say about the restart.

use super::*;
use crate::choice::Instant;

/// One numerical experiment: the steps of two sizes.
pub(super) struct Experiment {
    h: [f64; 2],
    runs: [Vec<Values>; 2],
}

impl Check<'_> {
    /// Steps of two sizes. What `reinit(x, e)` sets is the right limit: where impulses move `x` as well, it starts from the value
    /// from which the steps come to `e`.
    pub(super) fn experiment(
        &self,
        point: &Point,
        restarted: &Restarted,
        near: Option<&Values>,
    ) -> Result<Experiment, Trouble> {
        let fractional = self.impulsive().values().any(|order| !order.is_integer());
        let h = if fractional { 1e-15 } else { 1e-8 };
        let h = [h, h / 4.0];
        let mut instant = self.instant(point)?;
        self.move_tied(point, &mut instant);
        let run = |instant: &Instant| -> Result<Experiment, Trouble> {
            let runs = [
                self.steps(point, instant, &self.guess(restarted, near, h[0]), h[0])?,
                self.steps(point, instant, &self.guess(restarted, near, h[1]), h[1])?,
            ];
            Ok(Experiment { h, runs })
        };
        let mut found = run(&instant)?;
        let wanted: Vec<(VarId, f64)> = instant
            .reset
            .iter()
            .filter_map(|var| Some((*var, instant.old.get(var)?.to_f64())))
            .collect();
        let [(var, value)] = wanted[..] else {
            return Ok(found);
        };
        let off = |found: &Experiment| -> Option<f64> {
            let limit = found.limit(VarRef::now(var, 0))?;
            ((limit - value).abs() > 1e-9 * (1.0 + value.abs())).then_some(limit - value)
        };
        // Secants.
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..20 {
            let Some(error) = off(&found) else {
                return Ok(found);
            };
            let start = instant.old.get(&var).map_or(value, |x| x.to_f64());
            let slope = match last {
                Some((s, e)) if e != error => (error - e) / (start - s),
                _ => 1.0,
            };
            last = Some((start, error));
            instant.old.insert(var, Double::new(start - error / slope));
            self.move_tied(point, &mut instant);
            found = run(&instant)?;
        }
        Err(Trouble::Diverged)
    }

    fn steps(
        &self,
        point: &Point,
        instant: &Instant,
        guess: &[Values],
        h: f64,
    ) -> Result<Vec<Values>, Trouble> {
        let mdae = self.mdae();
        let heights = self.transition.parts.iter().flat_map(|&part| {
            let analysis = &self.found.parts[part].analysis;
            analysis.heights.iter().copied()
        });
        // Impulses of order n need one step more to be over.
        let orders = self.impulsive().into_values().map(|order| order.ceil());
        let orders = orders.filter_map(|order| u32::try_from(*order.numer() + 1).ok());
        let orders = orders.filter(|order| *order > 2);
        // Where no order is known, as many as a chain of four integrators needs.
        let least = if self.is_settled() { 1 } else { 5 };
        let steps = heights.chain(orders).max().unwrap_or(0).max(least);
        let mut runs = vec![instant.old.clone()];
        let mut number = 1;
        if !instant.equations.is_empty() {
            let at = (point, &instant.old, h, number);
            let next = step(mdae, &instant.equations, at, &instant.assigned, guess);
            runs.push(next?);
            number += 1;
        }
        let equations = mode_equations(mdae, &self.transition.to);
        for _ in 0..steps {
            let old = &runs[runs.len() - 1];
            let next = step(mdae, &equations, (point, old, h, number), &[], guess);
            runs.push(next?);
            number += 1;
        }
        Ok(runs)
    }

    /// Where Newton may start: from the last values, if that does not converge from what the restart says, and before all that
    /// near values of the new mode, if these are given.
    fn guess(&self, restarted: &Restarted, near: Option<&Values>, h: f64) -> Vec<Values> {
        let mut guess: Values = FxHashMap::default();
        for (o, value) in restarted.right.iter().filter(|(o, _)| o.order == 0) {
            guess.insert(o.var, Double::new(*value));
        }
        for (o, weight) in restarted.weights.iter().filter(|(o, _)| o.order == 0) {
            let order = *weight.order.numer() as f64 / *weight.order.denom() as f64;
            guess.insert(o.var, Double::new(weight.value * h.powf(-order)));
        }
        let mut list = Vec::new();
        if let Some(near) = near {
            let mut with_impulses = near.clone();
            with_impulses.extend(guess.clone());
            list.extend([with_impulses, near.clone()]);
        }
        list.extend([Values::default(), guess]);
        list
    }

    /// The impulsive occurrences of the model with their orders.
    pub(super) fn impulsive(&self) -> BTreeMap<VarRef, Order> {
        let mut all = BTreeMap::new();
        for &part in &self.transition.parts {
            let result = &self.found.parts[part];
            let names = PartNames {
                mdae: self.mdae(),
                elimination: &self.found.modes.elimination,
                result,
            };
            for (o, order) in &result.analysis.impulsive {
                all.insert(names.model_occurrence(*o), *order);
            }
        }
        all
    }

    /// What is said to follow from an impulse inside a function, so that nobody knows its order.
    fn open(&self) -> BTreeSet<VarRef> {
        let parts = self
            .transition
            .parts
            .iter()
            .map(|&part| &self.found.parts[part]);
        let open = parts.flat_map(|result| {
            let names = PartNames {
                mdae: self.mdae(),
                elimination: &self.found.modes.elimination,
                result,
            };
            let list = result.analysis.open.iter();
            list.map(|o| names.model_occurrence(*o)).collect::<Vec<_>>()
        });
        let mut open: BTreeSet<VarRef> = open.collect();
        // Other names of the same variables.
        let elimination = &self.found.modes.elimination;
        let same = self.occurring().into_iter().filter(|o| {
            let forward = elimination.forward(*o).ok();
            forward.is_some_and(|s| open.contains(&elimination.backward(s.occurrence)))
        });
        let same: Vec<VarRef> = same.collect();
        open.extend(same);
        open
    }

    pub(super) fn compare(
        &self,
        experiment: &Experiment,
        restarted: &Restarted,
        point: &Point,
        tally: &mut Tally,
        weights_seen: &mut BTreeSet<VarRef>,
    ) {
        let mut say = |text: String| tally.wrong.push(format!("{}: {text}", self.label));
        // Where random equations have a multiple solution, half of the digits are lost, or more.
        let tolerance = if self.random { 1e-5 } else { 1e-6 };
        for (&o, &value) in &restarted.right {
            let Some(euler) = experiment.limit(o) else {
                continue;
            };
            if (euler - value).abs() > tolerance * (1.0 + value.abs()) {
                say(format!(
                    "`{}` is {value}, by Euler steps {euler}",
                    self.name(o)
                ));
            }
        }
        self.continuous(restarted, point, &mut say);
        let orders = self.impulsive();
        for (&o, weight) in &restarted.weights {
            let Some(euler) = experiment.weight(o, weight.order) else {
                continue;
            };
            if orders.contains_key(&o)
                && (euler.abs() - weight.value.abs()).abs() > tolerance * (1.0 + euler.abs())
            {
                let (name, value) = (self.name(o), weight.value);
                say(format!(
                    "the weight of `{name}` is {value}, by Euler steps {euler}"
                ));
            }
        }
        self.orders(experiment, &orders, weights_seen, &mut say);
    }

    /// States that are not said to jump do not.
    pub(super) fn continuous(
        &self,
        restarted: &Restarted,
        point: &Point,
        say: &mut dyn FnMut(String),
    ) {
        for &part in &self.transition.parts {
            let result = &self.found.parts[part];
            let analysis = &result.analysis;
            let names = PartNames {
                mdae: self.mdae(),
                elimination: &self.found.modes.elimination,
                result,
            };
            for state in analysis
                .determined
                .iter()
                .filter(|s| !analysis.jumps.contains(s))
            {
                let o = names.model_occurrence(*state);
                let (Some(&right), true) = (restarted.right.get(&o), o.order == 0) else {
                    continue;
                };
                let left = point.left(o).to_f64();
                if (right - left).abs() > 1e-9 * (1.0 + left.abs()) {
                    say(format!("`{}` jumps from {left} to {right}", self.name(o)));
                }
            }
        }
    }

    /// The variables and derivatives that the equations after the change mention.
    pub(super) fn occurring(&self) -> BTreeSet<VarRef> {
        let equations = mode_equations(self.mdae(), &self.transition.to);
        let mut all: BTreeSet<VarRef> = equations.iter().flat_map(variables).collect();
        all.extend(all.clone().into_iter().map(|o| VarRef::now(o.var, 0)));
        all.retain(|o| o.at == At::Now && is_unknown(self.mdae(), o.var));
        all
    }

    /// Orders as they are measured.
    pub(super) fn orders(
        &self,
        experiment: &Experiment,
        orders: &BTreeMap<VarRef, Order>,
        weights_seen: &mut BTreeSet<VarRef>,
        say: &mut dyn FnMut(String),
    ) {
        let elimination = &self.found.modes.elimination;
        let open = self.open();
        for o in self.occurring() {
            {
                if open.contains(&o) {
                    continue;
                }
                let Some([large, small]) = experiment.sizes(o) else {
                    continue;
                };
                let named = elimination
                    .forward(o)
                    .ok()
                    .map(|s| elimination.backward(s.occurrence));
                let reported = orders.get(&o).or_else(|| orders.get(&named?));
                let measured = (small / large).ln() / 4.0_f64.ln();
                match reported {
                    Some(order) => {
                        let expected = *order.numer() as f64 / *order.denom() as f64;
                        let weight = large * experiment.h[0].powf(expected);
                        if weight < 1e-6 {
                            continue;
                        }
                        weights_seen.extend([Some(o), named].into_iter().flatten());
                        if (measured - expected).abs() > 0.02 {
                            say(format!(
                                "`{}` has order {measured:.3}, not {order}",
                                self.name(o)
                            ));
                        }
                    }
                    None if large > 1e3 && measured > 0.2 => {
                        say(format!(
                            "`{}` has order {measured:.3} and is not reported",
                            self.name(o)
                        ));
                    }
                    None => {}
                }
            }
        }
    }
}

impl Experiment {
    fn at(&self, run: usize, step: usize, o: VarRef) -> Option<f64> {
        let now = *self.runs[run][step].get(&o.var)?;
        if o.order == 0 {
            return Some(now.to_f64());
        }
        let before = *self.runs[run][step.checked_sub(1)?].get(&o.var)?;
        Some(now.minus(before).over(Double::new(self.h[run])).to_f64())
    }

    fn extrapolated(&self, value: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        Some((4.0 * value(1)? - value(0)?) / 3.0)
    }

    /// The value after the last step, for a step that goes to zero.
    fn limit(&self, o: VarRef) -> Option<f64> {
        if o.order > 1 {
            return None;
        }
        self.extrapolated(|run| self.at(run, self.runs[run].len() - 1, o))
    }

    /// Whether these states come to the same finite values with both sizes of step.
    pub(super) fn has_limits(&self, states: &[VarRef]) -> bool {
        let settles = |o: &VarRef| {
            let value = |run: usize| self.at(run, self.runs[run].len() - 1, *o);
            match (value(0), value(1)) {
                (Some(a), Some(b)) => a.abs() < 1e6 && (a - b).abs() < 1e-5 * (1.0 + a.abs()),
                _ => true,
            }
        };
        states.iter().filter(|o| o.order == 0).all(settles)
    }

    /// The weight of an impulse: the sum over the steps, or the largest for other orders than 1.
    fn weight(&self, o: VarRef, order: Order) -> Option<f64> {
        if o.order > 1 {
            return None;
        }
        let exponent = *order.numer() as f64 / *order.denom() as f64;
        self.extrapolated(|run| {
            let scale = self.h[run].powf(exponent);
            let values = (1..self.runs[run].len()).map(|step| self.at(run, step, o));
            let values: Vec<f64> = values.collect::<Option<_>>()?;
            Some(if exponent == 1.0 {
                scale * values.iter().sum::<f64>()
            } else {
                let largest = values
                    .iter()
                    .copied()
                    .max_by(|a, b| a.abs().total_cmp(&b.abs()));
                scale * largest.unwrap_or(0.0)
            })
        })
    }

    /// The largest absolute value over all steps, for both steps.
    fn sizes(&self, o: VarRef) -> Option<[f64; 2]> {
        let size = |run: usize| {
            let values = (1..self.runs[run].len()).map(|step| self.at(run, step, o));
            let values: Vec<f64> = values.collect::<Option<_>>()?;
            Some(values.iter().fold(0.0_f64, |a, b| a.max(b.abs())))
        };
        Some([size(0)?, size(1)?])
    }
}
