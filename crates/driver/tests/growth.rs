//! What an edit costs next to the size of the model: a search over all components for each of them goes unseen in small
//! models, and in the numbers of queries.

use models::{Edit, Model};
use modeshift_db::Database;
use modeshift_driver::{OsSystem, Session, Settings};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::time::Duration;

#[path = "../benches/edit/models.rs"]
#[expect(dead_code, reason = "the benchmark needs more of it")]
mod models;

const SMALL: u32 = 40;
const TIMES: u32 = 10;
/// Twice of what a cost would grow by that is proportional to the model.
const LIMIT: u32 = 2 * TIMES;

/// CPU time of this thread, which other processes do not add to.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The shortest of a few edits, and the queries that one runs.
fn edits(sections: u32, edit: Edit) -> (Duration, Vec<String>) {
    let model = Model::Circuit(sections);
    let settings = Settings::in_dir("/nowhere").live();
    let mut session = Session::with_database(Database::logging(Arc::new(OsSystem)), settings);
    let mut times = Vec::new();
    let mut ran = Vec::new();
    for count in 0..6 {
        session.open_text("Edited.mo", &model.text(edit, count));
        let start = cpu_time();
        ran = session.db().executed(|_| session.check_all());
        times.push(cpu_time().saturating_sub(start));
    }
    // The first is no edit, the second comes before anything is kept.
    let shortest = times[2..].iter().min().copied();
    (shortest.unwrap_or_default(), ran)
}

#[test]
fn the_cost_of_an_edit_grows_no_faster_than_the_model() {
    for edit in [Edit::Comment, Edit::Constant, Edit::Parameter] {
        let (small, few) = edits(SMALL, edit);
        let (large, many) = edits(SMALL * TIMES, edit);
        assert_eq!(few, many, "{edit:?} runs other queries in a larger model");
        assert!(
            large < small * LIMIT,
            "{edit:?} takes {large:?} instead of {small:?} in a model {TIMES} times as large"
        );
    }
}
