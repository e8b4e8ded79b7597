//! Random hybrid models against an interpreter of appendix B of the specification, instant by instant.
//!
//! A million of them is a matter of `cargo run --release -p modeshift-oracle --bin hybrid`.

use modeshift_driver::simulate::Engine;
use modeshift_oracle::generate::model;
use modeshift_oracle::trial::{Outcome, judge, shrink};

const MODELS: u64 = 250;

#[test]
fn random_hybrid_models_do_what_the_specification_says() {
    let (mut agree, mut refused) = (0, Vec::new());
    for seed in 1..=MODELS {
        let random = model(seed);
        match judge(Engine::Fitting, &random) {
            Outcome::Agrees(_) => agree += 1,
            Outcome::Differs(_) => {
                let small = shrink(Engine::Fitting, random);
                let what = judge(Engine::Fitting, &small);
                panic!("seed {seed}: {what:?}\n{}", small.text());
            }
            Outcome::Refused(why) => refused.push((seed, why)),
            Outcome::Skipped(_) => {}
        }
    }
    assert!(
        agree > MODELS * 3 / 4,
        "{agree} agree; refused: {refused:?}"
    );
    assert!(refused.len() as u64 <= MODELS / 100, "{refused:?}");
}

/// A run mode by mode has an event iteration of its own. What it gets wrong must not be shown.
#[test]
fn a_run_mode_by_mode_is_right_or_refused() {
    let mut agree = 0;
    for seed in 1..=MODELS {
        let random = model(seed);
        match judge(Engine::Modes, &random) {
            Outcome::Agrees(_) => agree += 1,
            Outcome::Differs(_) => {
                let small = shrink(Engine::Modes, random);
                let what = judge(Engine::Modes, &small);
                panic!("seed {seed}: {what:?}\n{}", small.text());
            }
            Outcome::Refused(_) | Outcome::Skipped(_) => {}
        }
    }
    assert!(agree > MODELS / 4, "{agree} agree");
}
