//! The steps before and after the analysis of one change, on small models: what is eliminated, what
//! follows an event, which parts a change concerns, which left limits are used.

use modeshift_base::FxHashMap;
use modeshift_driver::analysis::Options as ModesOptions;
use modeshift_driver::{MemorySystem, Session, Settings};
use modeshift_mdae::model::{MDae, ModeId};
use modeshift_mdae::sym::VarRef;
use modeshift_restart::cascade::{left_at_once, unbounded_laws};
use modeshift_restart::explore::{Exploration, Options, explore, initialise};
use modeshift_restart::left_limits::{Given, parameter_values};
use modeshift_restart::modes::{Mode, Modes};
use modeshift_restart::solve::{Planner, solve};
use modeshift_restart::verdict::Verdict;
use std::sync::Arc;

fn mdae(text: &str) -> MDae {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/M.mo", text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("M.mo");
    let class = session.default_class().unwrap();
    let modes = session.modes(class, &ModesOptions::default());
    modes.analysis.unwrap().mdae
}

fn explored(mdae: &MDae) -> Exploration<'_> {
    explore(mdae, &Options::default(), &|_, _| {})
}

fn has_unbounded_laws(mdae: &MDae) -> bool {
    let found = explored(mdae);
    let mut changes = found.transitions.iter();
    changes.any(|change| !unbounded_laws(&found, change).is_empty())
}

fn mode(mdae: &MDae, name: &str) -> ModeId {
    let found = mdae.modes.iter_enumerated().find(|(_, m)| &*m.name == name);
    found.unwrap().0
}

fn variable(mdae: &MDae, name: &str) -> VarRef {
    VarRef::now(mdae.find_variable(name).unwrap(), 0)
}

fn given(mdae: &MDae, left: &[(&str, f64)]) -> Given {
    Given {
        left: left
            .iter()
            .map(|(name, value)| (variable(mdae, name), *value))
            .collect(),
        params: parameter_values(mdae, &FxHashMap::default()),
        time: 0.0,
    }
}

const CLUTCH: &str = "model M
  Real w1(start = 1), w2(start = 2), t;
  input Boolean g;
equation
  der(w1) = -t;
  2*der(w2) = t;
  0 = if g then w1 - w2 else t;
end M;";

#[test]
fn velocities_are_derivatives_and_keep_their_names() {
    let m = mdae(
        "model M Real x, v, a; input Boolean g; equation
           der(x) = v; der(v) = a; a = if g then -x else -1; end M;",
    );
    let modes = Modes::new(&m);
    let (x, v, a) = (variable(&m, "x"), variable(&m, "v"), variable(&m, "a"));
    let forward = |o| modes.elimination.forward(o).unwrap().occurrence;
    assert_eq!(forward(v), VarRef::now(x.var, 1));
    assert_eq!(forward(a), VarRef::now(x.var, 2));
    assert_eq!(modes.elimination.backward(VarRef::now(x.var, 1)), v);
    assert_eq!(
        modes.elimination.backward(VarRef::now(x.var, 3)),
        VarRef::now(a.var, 1)
    );
}

#[test]
fn an_output_that_is_a_derivative_stays() {
    let m = mdae(
        "model M Real u, y; Boolean late; equation
           late = time >= 1; u = if late then 3 else 0; y = der(u); end M;",
    );
    let found = explored(&m);
    let result = &found.parts[found.transitions[0].parts[0]];
    assert_eq!(result.analysis.verdict, Verdict::Determined);
    assert!(!result.analysis.impulsive.is_empty());
}

#[test]
fn definitions_follow_an_event() {
    let m = mdae(
        "model M Real x; input Boolean a; Boolean b, c; equation
           b = not a; c = b or pre(c); der(x) = if c then 1 else 2; end M;",
    );
    let modes = Modes::new(&m);
    let a = mode(&m, "a");
    let from: Mode = vec![true; m.modes.len()].into();
    let from: Mode = m
        .modes
        .ids()
        .map(|id| id == a && from[id.index()])
        .collect();
    let event = modes.follow(&from, &[(a, false)]).unwrap();
    let c = m
        .modes
        .iter_enumerated()
        .find(|(_, v)| &*v.name == "c")
        .unwrap()
        .0;
    assert!(event.settled[c.index()]);
    assert!(!event.unbounded);
}

#[test]
fn resets_that_set_each_other_off_without_end_are_found() {
    let m = mdae(
        "model M Real x(start = 0), y(start = 0); equation
           der(x) = 1; der(y) = 1;
           when x > 1 then reinit(y, pre(y) + 2); end when;
           when y > 1 then reinit(x, pre(x) + 2); end when;
         end M;",
    );
    assert!(has_unbounded_laws(&m));
}

#[test]
fn a_chain_of_resets_with_an_end_is_no_complaint() {
    let m = mdae(
        "model M Real x(start = 0), y(start = 0); equation
           der(x) = 1; der(y) = 0;
           when x > 1 then reinit(x, 0); reinit(y, 2); end when;
         end M;",
    );
    assert!(!has_unbounded_laws(&m));
}

#[test]
fn a_reset_into_another_mode_is_left_at_once() {
    let m = mdae(
        "model M Real x(start = 0); Boolean high; equation
           high = x > 1; der(x) = if high then -1 else 1;
           when high then reinit(x, 0); end when;
         end M;",
    );
    let found = explored(&m);
    assert!(
        found
            .transitions
            .iter()
            .any(|t| !left_at_once(&found, t).is_empty())
    );
}

#[test]
fn an_open_clutch_separates_the_shafts() {
    let m = mdae(
        "model M Real w1, w2, w3, t1, t2; input Boolean a, b; equation
           2*der(w1) = -t1; 2*der(w2) = t1 - t2; 2*der(w3) = t2;
           0 = if a then w1 - w2 else t1; 0 = if b then w2 - w3 else t2; end M;",
    );
    let found = explored(&m);
    let (a, b) = (mode(&m, "a"), mode(&m, "b"));
    // An open clutch brings the equation of its torque along.
    let sizes: Vec<(bool, usize)> = found
        .transitions
        .iter()
        .filter(|t| t.flipped == [a])
        .map(|t| {
            let from = t.from.as_ref().unwrap();
            let part = &found.parts[t.parts[0]].part;
            (from[b.index()], part.change.after.len())
        })
        .collect();
    assert!(
        sizes
            .iter()
            .all(|(closed, size)| if *closed { *size == 5 } else { *size == 4 }),
        "{sizes:?}"
    );
}

#[test]
fn conditions_that_share_nothing_are_visited_one_by_one() {
    let m = mdae(
        "model M parameter Integer n = 6; Real w1[n], w2[n], t[n]; input Boolean g[n]; equation
           for k in 1:n loop der(w1[k]) = -t[k]; der(w2[k]) = t[k];
             0 = if g[k] then w1[k] - w2[k] else t[k]; end for; end M;",
    );
    let few = Options {
        max_modes: 16,
        ..Options::default()
    };
    let grouped = explore(&m, &few, &|_, _| {});
    assert!(!grouped.truncated);
    assert_eq!((grouped.groups.len(), grouped.transitions.len()), (6, 12));
    let all = explored(&m);
    let stands_for: u64 = grouped
        .transitions
        .iter()
        .map(|t| grouped.multiplicity(t))
        .sum();
    assert_eq!(stands_for, all.transitions.len() as u64);
    let mut listed: Vec<_> = grouped
        .transitions
        .iter()
        .flat_map(|t| grouped.combinations(t, usize::MAX))
        .map(|t| (t.from, t.to))
        .collect();
    let mut enumerated: Vec<_> = all
        .transitions
        .iter()
        .map(|t| (t.from.clone(), t.to.clone()))
        .collect();
    listed.sort();
    enumerated.sort();
    assert_eq!(listed, enumerated);
}

#[test]
fn left_limits_that_are_given_stay_and_others_follow_from_the_old_mode() {
    let m = mdae(CLUTCH);
    let found = explored(&m);
    let opens = found.transitions.iter().find(|t| !t.to[0]).unwrap();
    // Engaged before: w2 equals w1.
    let restarted = solve(&found, opens, &given(&m, &[("w1", 7.0)]));
    assert!((restarted.left[&variable(&m, "w2")] - 7.0).abs() < 1e-9);
    assert!((restarted.right[&variable(&m, "w2")] - 7.0).abs() < 1e-9);
    assert!(restarted.weights.is_empty());
}

#[test]
fn a_planner_analyses_a_change_once_and_solves_it_often() {
    let m = mdae(CLUTCH);
    let mut planner = Planner::new(&m);
    let g = mode(&m, "g");
    let from: Mode = vec![false].into();
    let change = planner.plan(&from, &[(g, true)]).unwrap();
    assert_eq!(planner.plan(&from, &[(g, true)]), Some(change));
    assert_eq!(planner.plan(&from, &[(g, false)]), None);
    assert_eq!(planner.found().parts.len(), 1);
    for (w1, w2) in [(1.0, 4.0), (2.0, -1.0)] {
        let restarted = planner.solve(change, &given(&m, &[("w1", w1), ("w2", w2)]));
        let common = (w1 + 2.0 * w2) / 3.0;
        assert!((restarted.right[&variable(&m, "w1")] - common).abs() < 1e-12);
        let torque = restarted.weights[&variable(&m, "t")].value;
        assert!((torque - (w1 - common)).abs() < 1e-12);
    }
}

#[test]
fn a_discrete_variable_changes_the_equations_that_read_it() {
    let m = mdae(
        "model M Real we(start = 300), wv(start = 100), t; discrete Real ratio(start = 3);
           input Boolean shift; equation
           der(we) = -t; 16*der(wv) = ratio*t; we = ratio*wv;
           when shift then ratio = 2; end when; end M;",
    );
    let found = explored(&m);
    let shift = found
        .transitions
        .iter()
        .find(|t| t.to[mode(&m, "shift").index()])
        .unwrap();
    let restarted = solve(
        &found,
        shift,
        &given(&m, &[("we", 300.0), ("wv", 100.0), ("ratio", 3.0)]),
    );
    assert!((restarted.right[&variable(&m, "we")] - 220.0).abs() < 1e-9);
    assert!((restarted.right[&variable(&m, "ratio")] - 2.0).abs() < 1e-12);
}

#[test]
fn start_values_that_satisfy_a_constraint_do_not_jump() {
    let m = mdae(
        "model M Real x(start = 0.6), y(start = -0.8), vx(start = 4), vy(start = 3), l; equation
           der(x) = vx; der(y) = vy; der(vx) = -l*x; der(vy) = -l*y - 9.81;
           x^2 + y^2 = 1; end M;",
    );
    let given = given(&m, &[]);
    let found = initialise(&m, &given, &[]);
    let restarted = solve(&found, &found.transitions[0], &given);
    for (name, value) in [("x", 0.6), ("y", -0.8), ("vx", 4.0), ("vy", 3.0)] {
        assert!(
            (restarted.right[&variable(&m, name)] - value).abs() < 1e-12,
            "{name}"
        );
    }
}
