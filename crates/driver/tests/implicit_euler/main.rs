//! Every restart that is called determined, against implicit Euler.
//!
//! For each mode change of the test models and of the library's examples: random left limits that the mode
//! before allows, the right limits and impulse weights of the restart system, and steps of 1e-8 of the
//! new mode's unreduced equations from the same left limits. Both must agree to 1e-6. The orders of all variables
//! are measured, too: no variable may grow as the step shrinks that is not reported as impulsive, and with
//! the order that is reported.
//!
//! The equations are the model's own: no first-order form is eliminated, nothing is differentiated, no
//! parts are separated. They are solved with 32 digits, because constraints on positions divide by the
//! step twice; and with two sizes of step, whose difference is extrapolated away.

mod double;
mod left;
mod point;
mod step;

use double::Double;
use left::{left_limits, mode_equations};
use modeshift_base::FxHashMap;
use modeshift_driver::analysis::Options as ModesOptions;
use modeshift_driver::{OsSystem, Session, Settings};
use modeshift_mdae::model::{EqId, EquationKind, MDae, ModeDef, VarKind};
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, evaluate, resolve, variables};
use modeshift_restart::array::RowKind;
use modeshift_restart::events::Event;
use modeshift_restart::explore::{self, Exploration, Transition, explore};
use modeshift_restart::left_limits::{Given, parameter_values};
use modeshift_restart::names::PartNames;
use modeshift_restart::solve::{Restarted, solve};
use modeshift_restart::terms::Order;
use modeshift_restart::verdict::{Flag, Verdict};
use point::{Point, Random};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use step::{Trouble, Values, step};

/// What became of the changes of one model.
#[derive(Default)]
struct Tally {
    checked: usize,
    /// Changes that are not determined, or that depend on the discretisation.
    other: usize,
    skipped: Vec<String>,
    wrong: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn mdae_of(file: Option<&Path>, class: Option<&str>) -> Option<MDae> {
    let mut session = Session::new(Arc::new(OsSystem), Settings::in_dir(root()));
    if let Some(file) = file {
        session.open(file);
    }
    let class = session.target(class).ok()?;
    let modes = session.modes(class, &ModesOptions::default());
    modes.analysis.map(|analysis| analysis.mdae)
}

fn models_in(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("test-models").join(folder));
    let mut list: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "mo"))
        .collect();
    list.sort();
    list
}

/// The changes of one model, those with the same parts once.
fn check(name: &str, mdae: &MDae, tally: &mut Tally) {
    let options = explore::Options {
        max_modes: 64,
        ..explore::Options::default()
    };
    let found = explore(mdae, &options, &|_, _| {});
    let mut seen = BTreeSet::new();
    for transition in &found.transitions {
        if seen.len() < 24 && seen.insert(transition.parts.clone()) {
            Check::new(name, &found, transition).run(tally);
        }
    }
    check_start(name, mdae, tally);
}

/// The start, from declared and from random start values.
fn check_start(name: &str, mdae: &MDae, tally: &mut Tally) {
    let params = parameter_values(mdae, &FxHashMap::default());
    for seed in 0..3 {
        let mut random = Random(seed);
        let mut given = Given {
            params: params.clone(),
            ..Given::default()
        };
        if seed > 0 {
            let found = explore::initialise(mdae, &given, &[]);
            for state in found.states_of(&found.transitions[0].to) {
                let state = found.modes.elimination.backward(state);
                given.left.insert(state, random.number());
            }
        }
        let found = explore::initialise(mdae, &given, &[]);
        Check::new(name, &found, &found.transitions[0]).start(&given, tally);
    }
}

struct Check<'a> {
    label: String,
    found: &'a Exploration<'a>,
    transition: &'a Transition,
}

/// One numerical experiment: the steps of two sizes.
struct Experiment {
    h: [f64; 2],
    runs: [Vec<Values>; 2],
}

impl<'a> Check<'a> {
    fn new(name: &str, found: &'a Exploration<'a>, transition: &'a Transition) -> Self {
        let what = modeshift_restart::diagnose::describe(found, transition);
        Self {
            label: format!("{name}: {what}"),
            found,
            transition,
        }
    }

    fn mdae(&self) -> &'a MDae {
        self.found.modes.mdae
    }

    fn is_settled(&self) -> bool {
        let scheme_dependent = self.transition.parts.iter().any(|&part| {
            let flags = &self.found.parts[part].analysis.flags;
            flags
                .iter()
                .any(|flag| matches!(flag, Flag::SchemeDependent { .. }))
        });
        self.found.verdict(self.transition) == Verdict::Determined
            && !self.transition.unbounded
            && !scheme_dependent
    }

    fn run(&self, tally: &mut Tally) {
        if !self.is_settled() {
            tally.other += 1;
            return;
        }
        let mut weights_seen = BTreeSet::new();
        let mut trials = 0;
        for seed in 0..8 {
            if trials == 3 {
                break;
            }
            let Some((point, given)) = self.left(seed) else {
                continue;
            };
            trials += 1;
            self.trial(&point, &given, tally, &mut weights_seen);
        }
        if trials == 0 {
            tally
                .skipped
                .push(format!("{}: no left limits", self.label));
            return;
        }
        tally.checked += 1;
        let occurring = self.occurring();
        for occurrence in self.impulsive().keys() {
            if occurring.contains(occurrence) && !weights_seen.contains(occurrence) {
                let name = self.name(*occurrence);
                tally
                    .wrong
                    .push(format!("{}: `{name}` is never impulsive", self.label));
            }
        }
    }

    fn name(&self, o: VarRef) -> String {
        let name = &self.mdae().variable(o.var).name;
        modeshift_restart::names::derivative_name(name, o.order)
    }

    /// The functions that are zero because their sign flips.
    fn crossings(&self) -> Vec<Expr> {
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

    fn left(&self, seed: u64) -> Option<(Point, Given)> {
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

    fn trial(
        &self,
        point: &Point,
        given: &Given,
        tally: &mut Tally,
        weights_seen: &mut BTreeSet<VarRef>,
    ) {
        let restarted = solve(self.found, self.transition, given);
        let say = |what: String| format!("{}: {what}", self.label);
        match (
            restarted.failures.first(),
            self.experiment(point, &restarted),
        ) {
            (None, Ok(experiment)) => {
                self.compare(&experiment, &restarted, point, tally, weights_seen);
            }
            // A square that would have to be negative: neither way has a solution.
            (Some(_), Err(Trouble::Diverged)) => {}
            (_, Err(Trouble::Unknown(error))) => tally.skipped.push(say(error.to_string())),
            (Some(failure), Ok(_)) => {
                tally
                    .wrong
                    .push(say(format!("not solved: {:?}", failure.error)));
            }
            (_, Err(trouble)) => tally.wrong.push(say(trouble.to_string())),
        }
    }

    fn start(&self, given: &Given, tally: &mut Tally) {
        if !self.is_settled() {
            tally.other += 1;
            return;
        }
        let mdae = self.mdae();
        let elimination = &self.found.modes.elimination;
        let mut point = Point {
            params: given.params.clone(),
            ..Point::default()
        };
        let declared = |o: VarRef| -> f64 {
            if let Some(&value) = given.left.get(&o) {
                return value;
            }
            let start = mdae.variable(o.var).start.as_ref().filter(|_| o.order == 0);
            let value = start.and_then(|start| evaluate(start, &point).ok());
            value.map_or(0.0, Double::to_f64)
        };
        let mut left = FxHashMap::default();
        for var in mdae.variable_ids() {
            let (sign, o) = match elimination.forward(VarRef::now(var, 0)) {
                Ok(signed) => {
                    let sign = if signed.negative { -1.0 } else { 1.0 };
                    (sign, elimination.backward(signed.occurrence))
                }
                Err(constant) => {
                    let value = evaluate(&constant, &point).unwrap_or(Double::ZERO);
                    left.insert(VarRef::now(var, 0), value);
                    continue;
                }
            };
            left.insert(VarRef::now(var, 0), Double::new(sign * declared(o)));
        }
        point.left = left;
        tally.checked += 1;
        let mut weights_seen = BTreeSet::new();
        self.trial(&point, given, tally, &mut weights_seen);
    }

    /// What happens at the instant before the steps: laws, values that are reset or assigned.
    fn instant(&self, point: &Point) -> Result<Instant, Trouble> {
        let mdae = self.mdae();
        let mut old: Values = FxHashMap::default();
        for var in mdae.variable_ids() {
            old.insert(var, point.left(VarRef::now(var, 0)));
        }
        let mut instant = Instant {
            old,
            equations: Vec::new(),
            assigned: Vec::new(),
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

    fn event(&self) -> Option<Event> {
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
    fn redundant(&self) -> BTreeSet<EqId> {
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

    fn experiment(&self, point: &Point, restarted: &Restarted) -> Result<Experiment, Trouble> {
        let fractional = self.impulsive().values().any(|order| !order.is_integer());
        let h = if fractional { 1e-15 } else { 1e-8 };
        let h = [h, h / 4.0];
        let runs = [
            self.steps(point, restarted, h[0])?,
            self.steps(point, restarted, h[1])?,
        ];
        Ok(Experiment { h, runs })
    }

    fn steps(&self, point: &Point, restarted: &Restarted, h: f64) -> Result<Vec<Values>, Trouble> {
        let mdae = self.mdae();
        let instant = self.instant(point)?;
        let heights = self.transition.parts.iter().flat_map(|&part| {
            let analysis = &self.found.parts[part].analysis;
            analysis.heights.iter().copied()
        });
        let steps = heights.max().unwrap_or(0).max(1);
        let guess = self.guess(restarted, h);
        let mut runs = vec![instant.old.clone()];
        let mut number = 1;
        if !instant.equations.is_empty() {
            let at = (point, &instant.old, h, number);
            let next = step(mdae, &instant.equations, at, &instant.assigned, &guess);
            runs.push(next?);
            number += 1;
        }
        let equations = mode_equations(mdae, &self.transition.to);
        for _ in 0..steps {
            let old = &runs[runs.len() - 1];
            let next = step(mdae, &equations, (point, old, h, number), &[], &guess);
            runs.push(next?);
            number += 1;
        }
        Ok(runs)
    }

    /// Where Newton may start if it does not converge from the left limits.
    fn guess(&self, restarted: &Restarted, h: f64) -> Vec<Values> {
        let mut guess: Values = FxHashMap::default();
        for (o, value) in restarted.right.iter().filter(|(o, _)| o.order == 0) {
            guess.insert(o.var, Double::new(*value));
        }
        for (o, weight) in restarted.weights.iter().filter(|(o, _)| o.order == 0) {
            let order = *weight.order.numer() as f64 / *weight.order.denom() as f64;
            guess.insert(o.var, Double::new(weight.value * h.powf(-order)));
        }
        vec![guess, Values::default()]
    }

    /// The impulsive occurrences of the model with their orders.
    fn impulsive(&self) -> BTreeMap<VarRef, Order> {
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

    fn compare(
        &self,
        experiment: &Experiment,
        restarted: &Restarted,
        point: &Point,
        tally: &mut Tally,
        weights_seen: &mut BTreeSet<VarRef>,
    ) {
        let mut say = |text: String| tally.wrong.push(format!("{}: {text}", self.label));
        for (&o, &value) in &restarted.right {
            let Some(euler) = experiment.limit(o) else {
                continue;
            };
            if (euler - value).abs() > 1e-6 * (1.0 + value.abs()) {
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
                && (euler.abs() - weight.value.abs()).abs() > 1e-6 * (1.0 + euler.abs())
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
    fn continuous(&self, restarted: &Restarted, point: &Point, say: &mut dyn FnMut(String)) {
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
    fn occurring(&self) -> BTreeSet<VarRef> {
        let equations = mode_equations(self.mdae(), &self.transition.to);
        let mut all: BTreeSet<VarRef> = equations.iter().flat_map(variables).collect();
        all.extend(all.clone().into_iter().map(|o| VarRef::now(o.var, 0)));
        all.retain(|o| o.at == At::Now && left::is_unknown(self.mdae(), o.var));
        all
    }

    /// Orders as they are measured.
    fn orders(
        &self,
        experiment: &Experiment,
        orders: &BTreeMap<VarRef, Order>,
        weights_seen: &mut BTreeSet<VarRef>,
        say: &mut dyn FnMut(String),
    ) {
        let elimination = &self.found.modes.elimination;
        for o in self.occurring() {
            {
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

struct Instant {
    old: Values,
    /// The equations of the instant, if laws fire that are more than assignments.
    equations: Vec<Expr>,
    assigned: Vec<VarId>,
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

fn report(tally: &Tally, at_least: usize) {
    println!(
        "{} changes checked, {} not determined or scheme-dependent, {} without left limits",
        tally.checked,
        tally.other,
        tally.skipped.len()
    );
    for skipped in &tally.skipped {
        println!("  {skipped}");
    }
    let mut wrong = tally.wrong.clone();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tally.checked >= at_least, "only {} checked", tally.checked);
}

fn check_folder(folder: &str, at_least: usize) {
    let mut tally = Tally::default();
    for path in models_in(folder) {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if let Some(mdae) = mdae_of(Some(&path), None) {
            check(&name, &mdae, &mut tally);
        }
    }
    report(&tally, at_least);
}

#[test]
fn restarts_of_the_papers_models_agree_with_implicit_euler() {
    check_folder("transitions", 30);
}

#[test]
fn restarts_of_multimode_models_agree_with_implicit_euler() {
    check_folder("multimode", 40);
}

#[test]
fn restarts_of_models_for_modes_agree_with_implicit_euler() {
    check_folder("modes", 30);
}

#[test]
fn restarts_of_the_library_examples_agree_with_implicit_euler() {
    let mut tally = Tally::default();
    let folder = root().join("stdlib/Modeshift/Examples");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let package = entry.path().with_extension("");
        let package = package
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for line in text
            .lines()
            .filter_map(|line| line.strip_prefix("  model "))
        {
            let model = line.split_whitespace().next().unwrap_or_default();
            names.push(format!("Modeshift.Examples.{package}.{model}"));
        }
    }
    names.sort();
    for name in names {
        if let Some(mdae) = mdae_of(None, Some(&name)) {
            check(&name, &mdae, &mut tally);
        }
    }
    report(&tally, 30);
}
