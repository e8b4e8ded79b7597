//! What `check` says about models that run: all modes of a random hybrid model are sound, apart from events that do not
//! end, which another trajectory may meet.

use modeshift_diag::Code;
use modeshift_driver::simulate::Engine;
use modeshift_oracle::generate::model;
use modeshift_oracle::session_of;
use modeshift_oracle::trial::{Outcome, judge};

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
