//! `restart` and `simulate` solve the same restarts to the same numbers.
//!
//! Both hand their equations to one solver, `restart` as they stand, a simulation as compiled code. For every change of the test
//! models, and of random nonlinear ones: random left limits, and what comes out of both.

#[allow(dead_code)]
#[path = "implicit_euler/double.rs"]
mod double;
#[path = "common/models.rs"]
mod files;
#[allow(dead_code)]
#[path = "implicit_euler/point.rs"]
mod point;
#[path = "implicit_euler/random.rs"]
mod random;

use modeshift_base::FxHashMap;
use modeshift_driver::{MemorySystem, OsSystem, Session, Settings};
use modeshift_mdae::model::MDae;
use modeshift_mdae::sym::{At, VarRef};
use modeshift_restart::explore::{Exploration, Options, PartResult, Transition, explore};
use modeshift_restart::left_limits::{Given, left_limits};
use modeshift_restart::newton::SolveError;
use modeshift_restart::verdict::Verdict;
use modeshift_sim::layout::TIME;
use modeshift_sim::parameters::of_run;
use modeshift_sim::restarts::Prepared;
use modeshift_sim::simulator::Simulator;
use modeshift_sim::tape::Functions;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A small deterministic generator of numbers between 1/2 and 2.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        0.5 + 1.5 * (self.0 >> 40) as f64 / f64::from(1 << 24)
    }
}

#[derive(Default)]
struct Tally {
    compared: usize,
    /// Parts that neither way solves.
    unsolved: usize,
    wrong: Vec<String>,
}

/// The changes of a model, those with the same parts once.
fn check(name: &str, mdae: &MDae, functions: &Functions, tally: &mut Tally) {
    let options = Options {
        max_modes: 32,
        ..Options::default()
    };
    let found = explore(mdae, &options, &|_, _| {});
    let mut seen = BTreeSet::new();
    let mut random = Random(7);
    for transition in &found.transitions {
        for &part in &transition.parts {
            if seen.len() < 24 && seen.insert(part) {
                let given = random_left_limits(&found, transition, functions, &mut random);
                if let Err(problem) = compare(&found, &found.parts[part], &given, functions, tally)
                {
                    tally.wrong.push(format!("{name}: {problem}"));
                }
            }
        }
    }
}

fn random_left_limits(
    found: &Exploration<'_>,
    transition: &Transition,
    functions: &Functions,
    random: &mut Random,
) -> Given {
    let mut given = Given {
        time: random.number(),
        ..Given::default()
    };
    given.params = of_run(
        found.modes.mdae,
        functions,
        &FxHashMap::default(),
        given.time,
    )
    .0;
    if let Some(mode) = &transition.from {
        for state in found.states_of(mode) {
            let state = found.modes.elimination.backward(state);
            given.left.insert(state, random.number());
        }
    }
    given
}

fn compare(
    found: &Exploration<'_>,
    result: &PartResult,
    given: &Given,
    functions: &Functions,
    tally: &mut Tally,
) -> Result<(), String> {
    let analysis = &*result.analysis;
    if analysis.verdict != Verdict::Determined {
        return Ok(());
    }
    let numbers = left_limits(found, result, given).numbers;
    let written = analysis.system.solve(&numbers);
    // Functions of the model are the business of simulations.
    if let Err(SolveError::Evaluate(_)) = written {
        return Ok(());
    }
    let mut simulator = Simulator::new(found.modes.mdae, &given.params, functions, given.time);
    let part = &result.part;
    let Ok(prepared) = Prepared::new(&mut simulator, part.clone(), analysis.clone()) else {
        return Ok(());
    };
    simulator.values[TIME as usize] = given.time;
    let in_model = |local: VarRef| VarRef {
        var: part.vars[local.var.0 as usize],
        ..local
    };
    for (&local, &value) in &numbers.values {
        simulator.set_value(in_model(local), value);
        let now = VarRef {
            at: At::Now,
            ..local
        };
        simulator.set_value(in_model(now), value);
    }
    let mut impulses = Vec::new();
    let solved = prepared.solve(&mut simulator, &mut impulses);
    let written = match (written, solved) {
        (Ok(solution), true) => solution,
        (Err(_), false) => {
            tally.unsolved += 1;
            return Ok(());
        }
        (written, _) => return Err(format!("{written:?}, compiled {solved}")),
    };
    tally.compared += 1;
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()));
    let told = analysis.system.told(&analysis.impulsive, &written.values);
    for (&local, &value) in &told.right {
        let compiled = simulator.value(in_model(local));
        if !near(value, compiled) {
            return Err(format!("{local:?} is {value}, compiled {compiled}"));
        }
    }
    for (&local, weight) in &told.weights {
        let same = impulses.iter().find(|it| it.variable == in_model(local));
        let compiled = same.map(|it| it.weight);
        if !compiled.is_some_and(|it| near(weight.value, it)) {
            let value = weight.value;
            return Err(format!(
                "the weight of {local:?} is {value}, compiled {compiled:?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn compiled_restarts_agree_with_written_ones() {
    let mut tally = Tally::default();
    for path in files::model_files() {
        let dir = path.parent().unwrap();
        let mut session = Session::new(Arc::new(OsSystem), Settings::in_dir(dir));
        session.open(&path);
        let Ok(class) = session.target(None) else {
            continue;
        };
        let Ok(mdae) = session.lowered(class) else {
            continue;
        };
        let functions = Functions::new(&session.flat(class).model.functions);
        check(&path.display().to_string(), &mdae, &functions, &mut tally);
    }
    for seed in 0..60_u64 {
        let text = random::model(&mut point::Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let system = Arc::new(MemorySystem::new());
        system.write("/project/M.mo", text.as_str());
        let mut session = Session::new(system, Settings::in_dir("/project"));
        session.open("M.mo");
        let class = session.default_class().unwrap();
        if let Ok(mdae) = session.lowered(class) {
            check(&text, &mdae, &Functions::default(), &mut tally);
        }
    }
    let wrong = &tally.wrong;
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!(
        "{} compared, {} solved by neither way",
        tally.compared, tally.unsolved
    );
    // Fewer say that something is not walked any more.
    assert!(tally.compared >= 1_900, "only {} compared", tally.compared);
    assert!(
        tally.unsolved * 20 < tally.compared,
        "{} unsolved",
        tally.unsolved
    );
}
