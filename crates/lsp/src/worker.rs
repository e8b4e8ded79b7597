//! Checking in the background.

use crate::pool::STACK;
use crossbeam_channel::Sender;
use modeshift_driver::{Interrupted, Phase, Report, Session, attempt};
use std::cell::RefCell;

/// News of a check, for one state of the texts.
pub(crate) struct Checked {
    pub generation: u64,
    pub news: News,
}

pub(crate) enum News {
    /// What a phase found.
    Found(Phase, Report),
    /// The check is over. Because of mistakes of ours nothing was found out about these classes, or about anything (`None`).
    Ended(Option<Vec<String>>),
}

/// Checks a clone of the session on a thread of its own, and sends what each phase finds. When the session is
/// edited meanwhile the check is cancelled and the rest is not sent.
pub(crate) fn spawn(session: Session, generation: u64, results: Sender<Checked>) {
    let check = move || {
        // Without a receiver the server is shutting down.
        let send = |news| drop(results.send(Checked { generation, news }));
        let lost = RefCell::new(Vec::new());
        let checked = attempt(|| {
            session.check_in_phases(
                |phase, found| send(News::Found(phase, session.report(found))),
                |class| {
                    lost.borrow_mut()
                        .push(format!("`{}`", session.name_of(class)))
                },
            );
        });
        match checked {
            Ok(()) => send(News::Ended(Some(lost.take()))),
            Err(Interrupted::Panicked) => send(News::Ended(None)),
            Err(Interrupted::Edited(_)) => {}
        }
    };
    let builder = std::thread::Builder::new()
        .name("check".to_owned())
        .stack_size(STACK);
    // When no thread can be had the diagnostics are late by one edit.
    drop(builder.spawn(check));
}

#[cfg(test)]
mod tests {
    use super::{News, spawn};
    use modeshift_driver::{MemorySystem, Phase, Session, Settings, System};
    use std::path::Path;
    use std::sync::Arc;

    /// Files in memory, one of which cannot be read without a panic.
    #[derive(Debug)]
    struct Trap(MemorySystem);

    impl System for Trap {
        fn read(&self, path: &Path) -> Result<Vec<u8>, modeshift_db::ReadError> {
            assert!(!path.ends_with("Trap.mo"), "as the test wants it");
            self.0.read(path)
        }

        fn list(&self, path: &Path) -> Option<Vec<modeshift_db::DirEntry>> {
            self.0.list(path)
        }
    }

    #[test]
    fn a_panic_costs_the_findings_of_one_class() {
        let files = MemorySystem::new();
        files.write("/w/Trap.mo", "model Trap end Trap;");
        let mut session = Session::new(Arc::new(Trap(files)), Settings::in_dir("/w").library("/w"));
        let text =
            "model A Real x = true; end A; model B extends Trap; end B; model C Real x = 1; end C;";
        session.open_text("/w/Open.mo", text);
        let (sender, receiver) = crossbeam_channel::unbounded();
        spawn(session, 7, sender);
        let (mut found, mut phases, mut lost) = (Vec::new(), Vec::new(), None);
        for checked in receiver {
            assert_eq!(checked.generation, 7);
            match checked.news {
                News::Found(phase, report) => {
                    phases.push(phase);
                    found.extend(report.diagnostics.iter().map(|it| it.code.to_string()));
                }
                News::Ended(classes) => lost = classes,
            }
        }
        assert_eq!(lost, Some(vec!["`B`".to_owned()]));
        assert_eq!(found, ["MS2020"], "of `A`");
        let all = [Phase::Files, Phase::Types, Phase::Modes, Phase::Changes];
        assert_eq!(phases, all);
    }
}
