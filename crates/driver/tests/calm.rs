//! Changes that `check` does not analyse because they leave all states alone: the analysis says the same.

use modeshift_driver::analysis::Options as ModesOptions;
use modeshift_driver::{MemorySystem, Session, Settings};
use modeshift_mdae::calm::Calm;
use modeshift_restart::explore::{Options, explore};
use modeshift_restart::verdict::Verdict;
use std::path::Path;
use std::sync::Arc;

/// More modes than this make a model too large for the comparison.
const MAX_MODES: u32 = 16;

/// How many changes were taken for calm, all of them compared.
fn compare(name: &str, text: &str) -> usize {
    let system = Arc::new(MemorySystem::new());
    system.write("/project/M.mo", text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open("M.mo");
    let Ok(class) = session.default_class() else {
        return 0;
    };
    let Some(analysis) = session.modes(class, &ModesOptions::default()).analysis else {
        return 0;
    };
    let count = analysis.mode_count.as_ref();
    if analysis.mdae.modes.is_empty() || count.is_none_or(|count| *count > MAX_MODES.into()) {
        return 0;
    }
    let calm = Options {
        calm: Calm::new(&analysis),
        ..Options::default()
    };
    let quick = explore(&analysis.mdae, &calm, &|_, _| {});
    let all = explore(&analysis.mdae, &Options::default(), &|_, _| {});
    let mut compared = 0;
    for change in quick.transitions.iter().filter(|it| it.parts.is_empty()) {
        let same = all.transitions.iter().filter(|other| {
            (&other.from, &other.to) == (&change.from, &change.to)
                && other.transient == change.transient
                && other.flipped == change.flipped
        });
        // The analysis of the change does not know that a table moves on by itself: it takes the step for a jump of what the
        // table drives.
        if name.ends_with("TableDrive.mo") {
            continue;
        }
        for other in same {
            compared += 1;
            for part in other.parts.iter().map(|&part| &all.parts[part]) {
                let found = &part.analysis;
                // That a mode is singular by its numbers is said of the mode.
                let expected = [Verdict::Determined, Verdict::NumericallySingular];
                assert!(expected.contains(&found.verdict), "{name}: {other:?}");
                assert!(found.impulsive.is_empty(), "{name}: {other:?}");
                let laws = part.change_laws();
                let reset = |jump| laws.iter().any(|law| law.reinit == Some(jump));
                let jumps = found.jumps.iter().filter(|jump| !reset(**jump));
                assert_eq!(jumps.count(), 0, "{name}: {other:?} {:?}", found.jumps);
            }
        }
    }
    compared
}

trait Laws {
    fn change_laws(&self) -> &[modeshift_restart::Law];
}

impl Laws for modeshift_restart::explore::PartResult {
    fn change_laws(&self) -> &[modeshift_restart::Law] {
        let transient = self.part.change.transient.as_ref();
        transient.map_or(&[], |it| &it.laws)
    }
}

#[test]
fn changes_that_are_not_analysed_leave_states_alone() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models");
    let mut compared = 0;
    for topic in [
        "loops",
        "modes",
        "multimode",
        "restart",
        "simulate",
        "transitions",
    ] {
        let mut files: Vec<_> = std::fs::read_dir(models.join(topic))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|it| it == "mo"))
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            compared += compare(&file.display().to_string(), &text);
        }
    }
    assert!(compared > 100, "only {compared} changes");
}
