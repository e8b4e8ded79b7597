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

mod choice;
mod double;
mod experiment;
mod left;
mod point;
mod random;
mod step;

use double::Double;
use left::{is_square, is_unknown, left_limits, mode_equations};
use modeshift_base::FxHashMap;
use modeshift_driver::analysis::Options as ModesOptions;
use modeshift_driver::{MemorySystem, OsSystem, Session, Settings};
use modeshift_mdae::model::{EqId, EquationKind, MDae, ModeDef, VarKind};
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, evaluate, partial, resolve, variables};
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
    /// Changes by verdict, and those of them that have a limit of Euler steps which the verdict denies.
    denied: BTreeMap<&'static str, [usize; 2]>,
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

fn check(name: &str, mdae: &MDae, tally: &mut Tally) {
    check_changes(name, mdae, tally);
    check_start(name, mdae, tally);
}

/// The changes of one model, those with the same parts once.
fn check_changes(name: &str, mdae: &MDae, tally: &mut Tally) {
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
    random: bool,
    found: &'a Exploration<'a>,
    transition: &'a Transition,
}

impl<'a> Check<'a> {
    fn new(name: &str, found: &'a Exploration<'a>, transition: &'a Transition) -> Self {
        let what = modeshift_restart::describe::describe(found, transition);
        Self {
            random: name.starts_with("model M\n"),
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
            self.other_way_round(tally);
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
            if !self.trial(&point, &given, tally, &mut weights_seen) {
                return;
            }
        }
        if trials == 0 {
            tally
                .skipped
                .push(format!("{}: no left limits", self.label));
            return;
        }
        tally.checked += 1;
        let occurring = self.occurring();
        // Random models are not followed until each impulse has shown.
        for occurrence in self.impulsive().keys().filter(|_| !self.random) {
            if occurring.contains(occurrence) && !weights_seen.contains(occurrence) {
                let name = self.name(*occurrence);
                tally
                    .wrong
                    .push(format!("{}: `{name}` is never impulsive", self.label));
            }
        }
    }

    /// Whether Euler steps have a limit although the verdict says that there is none.
    fn other_way_round(&self, tally: &mut Tally) {
        let verdict = self.found.verdict(self.transition);
        let expects_none = matches!(verdict, Verdict::Undetermined | Verdict::Inconsistent);
        // Of singular modes nothing is claimed but that.
        let Transition {
            from,
            to,
            transient,
            ..
        } = self.transition;
        let mut modes = from.iter().chain([to]).chain(transient);
        if !modes.all(|mode| is_square(self.mdae(), mode)) {
            return;
        }
        let Some((point, _)) = (0..4).find_map(|seed| self.left(seed)) else {
            return;
        };
        if !expects_none {
            return;
        }
        let [changes, denied] = tally.denied.entry(verdict.as_str()).or_default();
        *changes += 1;
        let experiment = self.experiment(&point, &Restarted::default(), None);
        if experiment.is_ok_and(|it| it.has_limits(&self.states_after())) {
            *denied += 1;
            if std::env::var("EULER_SHOW").is_ok() {
                println!("{}: {}", verdict.as_str(), self.label);
            }
        }
    }

    /// The states of the mode after, as the model writes them.
    fn states_after(&self) -> Vec<VarRef> {
        let states = self.found.states_of(&self.transition.to).into_iter();
        let elimination = &self.found.modes.elimination;
        states.map(|state| elimination.backward(state)).collect()
    }

    /// Whether a step of Euler's method can be made at all: a law beside a `reinit` is one statement too many for it.
    fn trial(
        &self,
        point: &Point,
        given: &Given,
        tally: &mut Tally,
        weights_seen: &mut BTreeSet<VarRef>,
    ) -> bool {
        let restarted = solve(self.found, self.transition, given);
        let say = |what: String| format!("{}: {what}", self.label);
        match (
            restarted.failures.first(),
            self.experiment(point, &restarted, None),
        ) {
            (None, Ok(experiment)) => {
                let before = tally.wrong.len();
                self.compare(&experiment, &restarted, point, tally, weights_seen);
                if self.random && tally.wrong.len() > before {
                    match self.values_after(&restarted, point) {
                        [Some(_), None] => {
                            tally.wrong.truncate(before);
                            let text = "the mode has no values there".to_owned();
                            tally.skipped.push(say(text));
                        }
                        [Some(_), Some(near)] => {
                            if let Ok(other) = self.experiment(point, &restarted, Some(&near)) {
                                tally.wrong.truncate(before);
                                self.compare(&other, &restarted, point, tally, weights_seen);
                            }
                        }
                        [None, _] => {}
                    }
                }
            }
            // A square that would have to be negative: neither way has a solution.
            (Some(_), Err(Trouble::Diverged)) => {}
            // Equations that nobody has chosen may have no solution near the left limits.
            (Some(_), _) | (_, Err(Trouble::Diverged)) if self.random => {
                tally.skipped.push(say("no solution was found".to_owned()));
            }
            (_, Err(Trouble::Unknown(error))) => tally.skipped.push(say(error.to_string())),
            (None, Err(trouble @ Trouble::Unbalanced(..))) => {
                tally.skipped.push(say(trouble.to_string()));
                return false;
            }
            (Some(failure), Ok(_)) => {
                tally
                    .wrong
                    .push(say(format!("not solved: {:?}", failure.error)));
            }
            (_, Err(trouble)) => tally.wrong.push(say(trouble.to_string())),
        }
        true
    }

    /// Values that satisfy the constraints of the new mode, and values that satisfy all its equations, with the right limits of the
    /// restart. There may be none of the latter, as in `exp(-x^2) = y` with a negative `y`, or several. A restart says what becomes
    /// of the states; a step of Euler's method goes wherever there is a solution.
    fn values_after(&self, restarted: &Restarted, point: &Point) -> [Option<Values>; 2] {
        let known = restarted.right.iter().filter(|(o, _)| o.order == 0);
        let mut known: FxHashMap<VarRef, f64> = known.map(|(o, value)| (*o, *value)).collect();
        for state in self.states_after().into_iter().filter(|o| o.order == 0) {
            let left = || point.left(state).to_f64();
            known.entry(state).or_insert_with(left);
        }
        let found = left::values_beside(self.mdae(), &self.transition.to, &known, point);
        found.map(|point| {
            let values = point?.left.into_iter();
            let values = values.filter(|(o, _)| o.order == 0 && is_unknown(self.mdae(), o.var));
            Some(values.map(|(o, value)| (o.var, value)).collect())
        })
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
}

fn report(tally: &Tally, at_least: usize) {
    println!(
        "{} changes checked, {} not determined or scheme-dependent, {} without left limits",
        tally.checked,
        tally.other,
        tally.skipped.len()
    );
    for (verdict, [changes, denied]) in &tally.denied {
        println!("{verdict}: {changes} changes, {denied} of them with a limit of Euler steps");
    }
    for skipped in &tally.skipped {
        println!("  {skipped}");
    }
    let mut wrong = tally.wrong.clone();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tally.checked >= at_least, "only {} checked", tally.checked);
}

fn mdae_of_text(text: &str) -> Option<MDae> {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/M.mo", text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("M.mo");
    let class = session.default_class().ok()?;
    assert!(session.check_files().is_empty(), "{text}");
    let modes = session.modes(class, &ModesOptions::default());
    modes.analysis.map(|analysis| analysis.mdae)
}

/// Changes of random nonlinear models; the first `count` after `first`.
fn check_random(first: u64, count: u64, at_least: usize) {
    let mut tally = Tally::default();
    for seed in first..first + count {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text = random::model(&mut random);
        if let Some(mdae) = mdae_of_text(&text) {
            check_changes(&text, &mdae, &mut tally);
        }
    }
    report(&tally, at_least);
    let denied = tally.denied.get(Verdict::Inconsistent.as_str());
    assert!(denied.is_none_or(|[_, denied]| *denied == 0), "{denied:?}");
}

#[test]
fn restarts_of_random_nonlinear_models_agree_with_implicit_euler() {
    check_random(0, 60, 60);
}

/// `EULER_MODELS=20000 cargo test --release -p modeshift-driver --test implicit_euler many -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn restarts_of_many_random_nonlinear_models_agree_with_implicit_euler() {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    check_random(
        number("EULER_FIRST").unwrap_or(0),
        number("EULER_MODELS").unwrap_or(5_000),
        0,
    );
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
fn restarts_of_the_smallest_models_agree_with_implicit_euler() {
    check_folder("restart", 15);
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
