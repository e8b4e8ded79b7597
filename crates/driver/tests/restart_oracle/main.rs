//! Restarts of random linear models against consistency projectors in exact rationals.
//!
//! Every change of every model: random left limits that the mode before and the crossing allow, the verdict, right
//! limits and impulses as `restart` computes them, and the same from the matrix pencil of the mode after. The few
//! hundred models of the usual test run are the first of the hundred thousand of the long one:
//!
//! ```text
//! RESTART_MODELS=100000 cargo test --release -p modeshift-driver --test restart_oracle -- --ignored --nocapture
//! ```
//!
//! It prints a table by verdict, and each model that is wrong. `RESTART_FIRST` is the number of the first model; with `RESTART_LAWS`
//! only models that have a `reinit` are tried, and `RESTART_SHOW` prints those whose limit a verdict denies.

#[path = "../common/models.rs"]
mod files;
mod model;
mod pencil;

use files::model_files;
use model::{Model, Random};
use modeshift_base::FxHashMap;
use modeshift_driver::{MemorySystem, OsSystem, Session, Settings};
use modeshift_mdae::model::MDae;
use modeshift_mdae::sym::{Rational, VarRef};
use modeshift_restart::explore::{Exploration, Options, Transition, explore, initialise};
use modeshift_restart::left_limits::{Given, parameter_values};
use modeshift_restart::solve::solve;
use modeshift_restart::verdict::Verdict;
use pencil::{Pencil, Vector, dot, zero};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

fn mdae(text: &str) -> Option<MDae> {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/M.mo", text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("M.mo");
    let class = session.default_class().ok()?;
    session.lowered(class).ok()
}

/// What came out, counted.
#[derive(Default)]
struct Table {
    models: usize,
    /// By verdict: changes, those that agree, those with a unique limit that the verdict denies.
    rows: BTreeMap<String, [usize; 3]>,
    skipped: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Table {
    fn count(&mut self, verdict: &str, column: usize) {
        self.rows.entry(verdict.to_owned()).or_default()[column] += 1;
    }

    fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }

    fn print(&self) {
        println!("{} models", self.models);
        println!(
            "{:<34} {:>8} {:>8} {:>8}",
            "verdict", "changes", "agree", "denied"
        );
        for (verdict, [changes, agree, denied]) in &self.rows {
            println!("{verdict:<34} {changes:>8} {agree:>8} {denied:>8}");
        }
        for (why, count) in &self.skipped {
            println!("not compared, {why}: {count}");
        }
    }
}

/// What `reinit(x, e)` does: it replaces the left limit of `x` by the value from which the new mode gets `x = e`.
enum Reset {
    /// From these left limits.
    Unique(Vector),
    /// The new mode does not leave `x` a choice, and wants another value.
    Impossible,
    /// It wants this very value; what the left limit was does not matter to `x`, but may to impulses.
    Idle,
}

impl Reset {
    fn of(
        model: &Model,
        modes: [&[bool]; 2],
        law: &model::Reinit,
        after: &Pencil,
        left: &[Rational],
    ) -> Self {
        let names = model.tied_to(law.target, modes);
        let read = &Rational::int(law.factor) * &left[law.source];
        let wanted = &read + &Rational::int(law.constant);
        let with = |value: Rational| {
            let mut start = left.to_vec();
            for (name, factor, offset) in &names {
                start[*name] = &(factor * &value) + &dot(offset, &left[model.n..]);
            }
            start
        };
        match end_at(&wanted, law.target, after, with) {
            Ok(start) => {
                if names.len() > 1 {
                    Self::is_that_of_one_name(model, modes[1], law, &names, [left, &start], after);
                }
                Self::Unique(start)
            }
            Err(true) => Self::Idle,
            Err(false) => Self::Impossible,
        }
    }

    /// The names that move with `x` are no invention: with all of them but `x` put away, the same reset, now of `x` alone, has the
    /// same result.
    fn is_that_of_one_name(
        model: &Model,
        mode: &[bool],
        law: &model::Reinit,
        names: &[(usize, Rational, [Rational; 3])],
        [left, start]: [&[Rational]; 2],
        after: &Pencil,
    ) {
        let Some((e, a, kept)) = model.without_names(mode, law.target, names) else {
            return;
        };
        let Some(pencil) = Pencil::new(&e, &a) else {
            return;
        };
        REDUCED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let target = kept.iter().position(|name| *name == law.target).unwrap();
        let right = after.right_limit(start);
        let with = |value: Rational| -> Vector {
            let mut start: Vector = kept.iter().map(|name| left[*name].clone()).collect();
            start[target] = value;
            start
        };
        let start = end_at(&right[law.target], target, &pencil, with);
        let start = start.unwrap_or_else(|_| panic!("no reset\n{}", model.text()));
        let expected: Vector = kept.iter().map(|name| right[*name].clone()).collect();
        assert_eq!(pencil.right_limit(&start), expected, "{}", model.text());
    }

    fn remark(&self) -> &'static str {
        match self {
            Self::Unique(_) => "",
            Self::Impossible => " of what is fixed",
            Self::Idle => " of what is fixed, to its value",
        }
    }
}

/// How many resets were compared with those of models that have one name only.
static REDUCED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// The start, one of `with(value)`, from which `pencil` leads to `wanted`; whether it leads there whatever the value is, if there is no
/// single one.
fn end_at(
    wanted: &Rational,
    target: usize,
    pencil: &Pencil,
    with: impl Fn(Rational) -> Vector,
) -> Result<Vector, bool> {
    let base = pencil.right_limit(&with(zero()))[target].clone();
    let slope = &pencil.right_limit(&with(Rational::one()))[target] - &base;
    let missing = wanted - &base;
    match missing.checked_div(&slope) {
        Some(value) => Ok(with(value)),
        None => Err(missing.is_zero()),
    }
}

/// The matrix pencils of the modes of a model, each made once; nothing for singular ones.
#[derive(Default)]
struct Pencils(BTreeMap<Vec<bool>, Option<Rc<Pencil>>>);

impl Pencils {
    fn of(&mut self, model: &Model, mode: &[bool]) -> Option<Rc<Pencil>> {
        if let Some(known) = self.0.get(mode) {
            return known.clone();
        }
        let (e, a) = model.matrices(mode);
        let pencil = Pencil::new(&e, &a).map(Rc::new);
        self.0.insert(mode.to_vec(), pencil.clone());
        pencil
    }
}

struct Case<'a> {
    seed: u64,
    model: &'a Model,
    text: &'a str,
    found: &'a Exploration<'a>,
    transition: &'a Transition,
    from: Vec<bool>,
    to: Vec<bool>,
}

fn check_model(seed: u64, table: &mut Table) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let model = Model::random(&mut random);
    if model.reinit.is_none() && std::env::var("RESTART_LAWS").is_ok() {
        return;
    }
    let text = model.text();
    table.models += 1;
    let Some(mdae) = mdae(&text) else {
        table.skip("the model is rejected before");
        return;
    };
    let options = Options {
        max_modes: 16,
        ..Options::default()
    };
    let found = explore(&mdae, &options, &|_, _| {});
    let valuation = |mode: &[bool]| -> Option<Vec<bool>> {
        (0..model.conditions.len())
            .map(|k| {
                let name = format!("g{k}");
                let id = mdae.modes.ids().find(|id| *mdae.modes[*id].name == *name)?;
                Some(mode[id.index()])
            })
            .collect()
    };
    let mut pencils = Pencils::default();
    for transition in &found.transitions {
        let from = transition.from.as_ref().and_then(|mode| valuation(mode));
        let (Some(from), Some(to)) = (from, valuation(&transition.to)) else {
            table.skip("a condition has no name");
            continue;
        };
        let case = Case {
            seed,
            model: &model,
            text: &text,
            found: &found,
            transition,
            from,
            to,
        };
        case.check(&mut random, &mut pencils, table);
    }
}

impl Case<'_> {
    fn check(&self, random: &mut Random, pencils: &mut Pencils, table: &mut Table) {
        let Some(before) = pencils.of(self.model, &self.from) else {
            table.skip("the pencil before is singular");
            return;
        };
        let verdict = self.found.verdict(self.transition);
        if self.transition.transient.is_some() {
            table.skip("through an instant with equations of its own");
            return;
        }
        let Some(after) = pencils.of(self.model, &self.to) else {
            match verdict {
                Verdict::Determined => self.wrong("the pencil after is singular", table),
                _ => table.skip("the pencil after is singular"),
            }
            return;
        };
        let Some(left) = self.left(&before, random) else {
            table.skip("no left limits");
            return;
        };
        let reset = match self.law() {
            None => Reset::Unique(left.clone()),
            Some(law) => Reset::of(self.model, [&self.from, &self.to], law, &after, &left),
        };
        let name = match (verdict, self.law()) {
            (verdict, None) => verdict.as_str().to_owned(),
            (verdict, Some(_)) => format!("{}, with reinit{}", verdict.as_str(), reset.remark()),
        };
        table.count(&name, 0);
        let start = match (&reset, verdict) {
            (Reset::Unique(start), _) => start,
            // What a constraint of the new mode fixes cannot be set, and what it fixes by chance is no reset.
            (Reset::Impossible, Verdict::Inconsistent) => return table.count(&name, 1),
            // Nothing is claimed about what comes after.
            (Reset::Impossible, Verdict::NumericallySingular) => return table.count(&name, 1),
            (Reset::Impossible, _) => {
                return self.wrong("a constraint fixes what `reinit` is to set", table);
            }
            (Reset::Idle, _) => return table.count(&name, 1),
        };
        let right = after.right_limit(start);
        match verdict {
            Verdict::Determined => {
                match self.compare(&left, &right, &after.impulses(start), true) {
                    Ok(()) => table.count(&name, 1),
                    Err(problem) => self.wrong(&problem, table),
                }
            }
            Verdict::Undetermined => {
                // What is told in spite of the verdict is right, and that something is not told is counted.
                match self.compare(&left, &right, &after.impulses(start), false) {
                    Ok(()) => table.count(&name, 1),
                    Err(problem) => self.wrong(&problem, table),
                }
                table.count(&name, 2);
                self.show(&name);
            }
            Verdict::Inconsistent => {
                table.count(&name, 2);
                self.wrong("called inconsistent, but there is a unique limit", table);
            }
            _ => {
                table.count(&name, 2);
                self.show(&name);
            }
        }
    }

    fn show(&self, name: &str) {
        if std::env::var("RESTART_SHOW").is_ok() {
            println!("{name}: {}\n{}", self.label(), self.text);
        }
    }

    /// The law that fires.
    fn law(&self) -> Option<&model::Reinit> {
        let law = self.model.reinit.as_ref()?;
        (self.to[law.condition] && !self.from[law.condition]).then_some(law)
    }

    /// Left limits of the mode before at which the conditions that flip cross zero.
    fn left(&self, before: &Pencil, random: &mut Random) -> Option<Vector> {
        let mut left = before.right_limit(&self.model.random_left(random));
        let mdae = self.found.modes.mdae;
        for id in &self.transition.flipped {
            let name = &*mdae.modes[*id].name;
            let condition: usize = name.strip_prefix('g')?.parse().ok()?;
            let Some(off) = self.model.crossing(condition, &left) else {
                continue;
            };
            if off.is_zero() {
                continue;
            }
            // Along another vector of the mode before, which leaves the number one alone.
            let mut along = self.model.random_left(random);
            along[self.model.n] = zero();
            let along = before.right_limit(&along);
            let moved: Vector = left.iter().zip(&along).map(|(a, b)| a + b).collect();
            let slope = &self.model.crossing(condition, &moved)? - &off;
            let factor = off.checked_div(&slope)?;
            left = left
                .iter()
                .zip(&along)
                .map(|(a, b)| a - &(&factor * b))
                .collect();
        }
        Some(left)
    }

    fn given(&self, left: &[Rational], states_only: bool) -> Given {
        let mdae = self.found.modes.mdae;
        let n = self.model.n;
        let mut given = Given {
            params: parameter_values(mdae, &FxHashMap::default()),
            time: left[n + 1].to_f64(),
            ..Given::default()
        };
        let mut shown: Option<Vec<VarRef>> = None;
        if states_only && let Some(from) = &self.transition.from {
            let states = self.found.states_of(from).into_iter();
            let states: Vec<VarRef> = states
                .map(|s| self.found.modes.elimination.backward(s))
                .collect();
            if !states.is_empty() && states.iter().all(|o| o.order == 0) {
                shown = Some(states);
            }
        }
        for (i, left) in left.iter().enumerate().take(n) {
            if let Some(var) = mdae.find_variable(&format!("x{i}")) {
                let o = VarRef::now(var, 0);
                if shown.as_ref().is_none_or(|shown| shown.contains(&o)) {
                    given.left.insert(o, left.to_f64());
                }
            }
        }
        if let Some(var) = mdae.find_variable("u") {
            given.left.insert(VarRef::now(var, 0), left[n + 2].to_f64());
            given
                .left
                .extend((1..6).map(|order| (VarRef::now(var, order), 0.0)));
        }
        given
    }

    fn compare(
        &self,
        left: &[Rational],
        right: &[Rational],
        impulses: &[Vector],
        complete: bool,
    ) -> Result<(), String> {
        for states_only in [false, true] {
            self.compare_with(left, right, impulses, complete, states_only)?;
        }
        Ok(())
    }

    fn compare_with(
        &self,
        left: &[Rational],
        right: &[Rational],
        impulses: &[Vector],
        complete: bool,
        states_only: bool,
    ) -> Result<(), String> {
        let mdae = self.found.modes.mdae;
        let given = self.given(left, states_only);
        let restarted = solve(self.found, self.transition, &given);
        if let Some(failure) = restarted.failures.first() {
            return Err(format!("not solved: {:?}", failure.error));
        }
        // What the states before do not determine is said to be assumed; then there is nothing to compare.
        if states_only && !restarted.assumed.is_empty() {
            return Ok(());
        }
        let index = |o: &VarRef| -> Option<usize> {
            let name = &*mdae.variable(o.var).name;
            (o.order == 0).then(|| name.strip_prefix('x')?.parse().ok())?
        };
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()));
        for (o, value) in &restarted.left {
            if let Some(i) = index(o)
                && !near(*value, left[i].to_f64())
            {
                return Err(format!("x{i} before is {value}, not {}", left[i].to_f64()));
            }
        }
        for (o, value) in &restarted.right {
            if let Some(i) = index(o)
                && !near(*value, right[i].to_f64())
            {
                return Err(format!("x{i} is {value}, not {}", right[i].to_f64()));
            }
        }
        for (o, weight) in &restarted.weights {
            let Some(i) = index(o) else { continue };
            let order = *weight.order.numer() as usize / *weight.order.denom() as usize;
            let exact = impulses.get(order - 1).map_or(0.0, |v| v[i].to_f64());
            if !near(weight.value, exact) {
                return Err(format!(
                    "the weight of x{i} is {}, not {exact}",
                    weight.value
                ));
            }
        }
        if !complete {
            return Ok(());
        }
        for i in 0..self.model.n {
            let strongest = impulses.iter().rposition(|v| !v[i].is_zero());
            let Some(var) = mdae.find_variable(&format!("x{i}")) else {
                continue;
            };
            let o = VarRef::now(var, 0);
            let told = restarted.weights.get(&o).map(|w| *w.order.numer() as usize);
            if let Some(strongest) = strongest
                && told.is_none_or(|told| told < strongest + 1)
            {
                return Err(format!(
                    "x{i} is impulsive of order {}, told {told:?}",
                    strongest + 1
                ));
            }
        }
        self.every_state_is_told(&restarted.right)
    }

    /// Every state of the new mode has a right limit.
    fn every_state_is_told(
        &self,
        right: &modeshift_base::FxIndexMap<VarRef, f64>,
    ) -> Result<(), String> {
        let mdae = self.found.modes.mdae;
        for &part in &self.transition.parts {
            let result = &self.found.parts[part];
            for state in &result.analysis.determined {
                let var = result.part.vars[state.var.0 as usize];
                let o = self
                    .found
                    .modes
                    .elimination
                    .backward(VarRef { var, ..*state });
                if !right.contains_key(&o) {
                    return Err(format!(
                        "`{}` has no right limit",
                        mdae.variable(o.var).name
                    ));
                }
            }
        }
        Ok(())
    }

    fn label(&self) -> String {
        format!("{:?} -> {:?}", self.from, self.to)
    }

    fn wrong(&self, problem: &str, table: &mut Table) {
        let seed = self.seed;
        table.wrong.push(format!(
            "{seed}: {}: {problem}\n{}",
            self.label(),
            self.text
        ));
    }
}

fn run(count: u64) {
    let mut table = Table::default();
    let first = std::env::var("RESTART_FIRST")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    for seed in first..first + count {
        check_model(seed, &mut table);
        if seed % 10_000 == 9_999 {
            table.print();
        }
    }
    table.print();
    let reduced = REDUCED.load(std::sync::atomic::Ordering::Relaxed);
    println!("{reduced} resets of several names compared with those of one");
    assert!(
        table.wrong.is_empty(),
        "{} wrong\n{}",
        table.wrong.len(),
        table.wrong.join("\n")
    );
}

#[test]
fn restarts_of_random_linear_models_agree_with_consistency_projectors() {
    run(300);
}

#[test]
#[ignore = "takes minutes"]
fn restarts_of_a_hundred_thousand_random_models_agree() {
    let count = std::env::var("RESTART_MODELS")
        .ok()
        .and_then(|text| text.parse().ok());
    run(count.unwrap_or(100_000));
}

/// Each state of the parts of a change is in one list, and impulses of determined changes have weights.
fn every_name_is_told(found: &Exploration<'_>, transition: &Transition) -> Result<(), String> {
    for &part in &transition.parts {
        let result = &found.parts[part];
        let analysis = &result.analysis;
        if analysis.verdict == Verdict::SingularMode {
            continue;
        }
        let Some(offsets) = &analysis.offsets_after else {
            return Err("no offsets".into());
        };
        for (&var, &d) in &offsets.d {
            for order in 0..d {
                let state = VarRef::now(var, order);
                let jumps = analysis.jumps.contains(&state);
                let determined = analysis.determined.contains(&state);
                let undetermined = analysis.undetermined.contains(&state);
                if determined == undetermined || (jumps && !determined) {
                    return Err(format!("{state:?}: {determined} {undetermined} {jumps}"));
                }
            }
        }
        if analysis.verdict != Verdict::Determined {
            continue;
        }
        for (o, order) in &analysis.impulsive {
            let has = analysis.system.unknowns.iter().any(|unknown| {
                let cell = unknown.cell;
                let weight = modeshift_restart::system::Meaning::Weight(*order);
                VarRef::now(cell.var, cell.order) == *o && unknown.meaning == weight
            });
            if !has {
                return Err(format!("{o:?} of order {order} has no weight"));
            }
        }
    }
    Ok(())
}

/// Fewer changes than these of the test models, and of random ones, say that something is not walked any more.
const FLOORS: [usize; 2] = [6_400, 1_050];

#[test]
fn every_state_is_in_one_list_and_every_impulse_has_a_weight() {
    let mut wrong = Vec::new();
    let mut look = |name: &str, mdae: &MDae| {
        let options = Options {
            max_modes: 32,
            ..Options::default()
        };
        let found = explore(mdae, &options, &|_, _| {});
        let start = initialise(mdae, &Given::default(), &[]);
        let changes = found.transitions.iter().map(|it| (&found, it));
        let changes = changes.chain(start.transitions.iter().map(|it| (&start, it)));
        let mut walked = 0;
        for (found, transition) in changes {
            walked += 1;
            if let Err(problem) = every_name_is_told(found, transition) {
                wrong.push(format!("{name}: {problem}"));
            }
        }
        walked
    };
    let mut walked = [0, 0];
    for path in model_files() {
        let mut session =
            Session::new(Arc::new(OsSystem), Settings::in_dir(path.parent().unwrap()));
        session.open(&path);
        let Ok(class) = session.target(None) else {
            continue;
        };
        if let Ok(mdae) = session.lowered(class) {
            walked[0] += look(&path.display().to_string(), &mdae);
        }
    }
    for seed in 1_000_000..1_000_100 {
        let mut random = Random(seed);
        let text = Model::random(&mut random).text();
        if let Some(mdae) = mdae(&text) {
            walked[1] += look(&text, &mdae);
        }
    }
    println!("changes of test models and of random models: {walked:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        walked[0] >= FLOORS[0] && walked[1] >= FLOORS[1],
        "only {walked:?}"
    );
}
