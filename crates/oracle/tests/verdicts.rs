//! What `check` says about models that run: all modes of a random hybrid model are sound, apart from events that do not
//! end, which another trajectory may meet. And what `check` accepts begins to run.

use modeshift_diag::Code;
use modeshift_driver::simulate::Engine;
use modeshift_oracle::generate::{Model, model, model_with_clutch};
use modeshift_oracle::session_of;
use modeshift_oracle::trial::{Outcome, judge, stopped};

const MODELS: u64 = 120;

#[test]
fn what_runs_is_not_rejected() {
    let mut ran = 0;
    for seed in 1..=MODELS {
        let random = model(seed);
        if !matches!(judge(Engine::Fitting, &random), Outcome::Agrees(_)) {
            continue;
        }
        ran += 1;
        let text = random.text();
        let found = session_of(&text).check(None, false);
        let wrong = found
            .iter()
            .find(|it| it.is_error() && it.code != Code::MS5006);
        assert!(wrong.is_none(), "seed {seed}: {wrong:?}\n{text}");
    }
    assert!(ran > MODELS * 3 / 4, "only {ran} run");
}

/// Whether it is accepted; then it runs. Events without end are found by trying only; what is not supported is no verdict.
fn begins(seed: u64, model: &Model) -> bool {
    let session = session_of(&model.text());
    let accepted = !session.check(None, false).iter().any(|it| it.is_error());
    let stopped = stopped(&session);
    let refused =
        stopped.filter(|(code, time)| *time <= 0.0 && ![Code::MS6001, Code::MS6004].contains(code));
    assert!(
        !accepted || refused.is_none(),
        "seed {seed}: {refused:?}\n{}",
        model.text()
    );
    accepted
}

#[test]
fn what_is_accepted_begins() {
    let mut accepted = 0;
    for seed in 1..=MODELS {
        accepted += u64::from(begins(seed, &model(seed)));
        accepted += u64::from(begins(seed, &model_with_clutch(seed)));
    }
    assert!(accepted > MODELS * 3 / 2, "only {accepted} are accepted");
}
