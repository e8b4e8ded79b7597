//! Random hybrid models against an interpreter of appendix B of the specification, instant by instant.
//!
//! A million of them is a matter of `cargo run --release -p modeshift-oracle --bin hybrid`.

use modeshift_driver::simulate::Engine;
use modeshift_oracle::generate::{Model, model, model_with_clutch};
use modeshift_oracle::trial::{Outcome, judge, shrink};

const MODELS: u64 = 250;

/// Every model agrees with the interpreter or is refused; so many agree.
fn agree(engine: Engine, of: fn(u64) -> Model) -> (u64, Vec<(u64, String)>) {
    let (mut agree, mut refused) = (0, Vec::new());
    for seed in 1..=MODELS {
        let random = of(seed);
        match judge(engine, &random) {
            Outcome::Agrees(_) => agree += 1,
            Outcome::Differs(_) => {
                let small = shrink(engine, random);
                let what = judge(engine, &small);
                panic!("seed {seed}: {what:?}\n{}", small.text());
            }
            Outcome::Refused(why) => refused.push((seed, why)),
            Outcome::Skipped(_) => {}
        }
    }
    (agree, refused)
}

#[test]
fn random_hybrid_models_do_what_the_specification_says() {
    let (agree, refused) = agree(Engine::Fitting, model);
    assert!(
        agree > MODELS * 3 / 4,
        "{agree} agree; refused: {refused:?}"
    );
    assert!(refused.len() as u64 <= MODELS / 100, "{refused:?}");
}

/// The discrete part of a run mode by mode is computed apart, by the same event iteration. What algorithms mix with the rest is
/// refused where it cannot be checked.
#[test]
fn a_run_mode_by_mode_does_the_same() {
    let (agree, refused) = agree(Engine::Modes, model);
    assert!(
        agree > MODELS * 3 / 4,
        "{agree} agree; refused: {refused:?}"
    );
    assert!(refused.len() as u64 <= MODELS / 50, "{refused:?}");
}

/// The structure changes at instants that discrete variables decide.
#[test]
fn so_does_one_whose_structure_changes() {
    let (agree, refused) = agree(Engine::Fitting, model_with_clutch);
    assert!(
        agree > MODELS * 3 / 4,
        "{agree} agree; refused: {refused:?}"
    );
    assert!(refused.len() as u64 <= MODELS / 60, "{refused:?}");
}
