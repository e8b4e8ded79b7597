//! Doing something again whenever a file changes.

use crate::ui::Failure;
use notify::{EventKind, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Editors write a file in several steps: wait until nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(80);

/// Tells which files have changed.
pub struct Watch {
    // Events stop when it is dropped.
    _watcher: notify::RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
}

impl Watch {
    /// Watches directories with all below, and for a file the directory it is in: editors replace files.
    pub fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(failure)?;
        let mut seen = BTreeSet::new();
        for path in paths {
            let (dir, mode) = match path.is_dir() {
                true => (path.as_path(), RecursiveMode::Recursive),
                false => (path.parent().unwrap_or(path), RecursiveMode::NonRecursive),
            };
            let dir = if dir.as_os_str().is_empty() {
                Path::new(".")
            } else {
                dir
            };
            if seen.insert((dir.to_owned(), mode == RecursiveMode::Recursive)) {
                watcher.watch(dir, mode).map_err(failure)?;
            }
        }
        Ok(Self {
            _watcher: watcher,
            events,
        })
    }

    /// Waits until something that matters has changed, and tells what.
    pub fn changed(&self) -> Result<BTreeSet<PathBuf>, Failure> {
        let mut changed = BTreeSet::new();
        while changed.is_empty() {
            let event = self
                .events
                .recv()
                .map_err(|error| Failure::Io(std::io::Error::other(error)))?;
            collect(event, &mut changed)?;
        }
        loop {
            match self.events.recv_timeout(QUIET) {
                Ok(event) => collect(event, &mut changed)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Ok(changed);
                }
            }
        }
    }
}

fn collect(
    event: notify::Result<notify::Event>,
    changed: &mut BTreeSet<PathBuf>,
) -> Result<(), Failure> {
    let event = event.map_err(failure)?;
    // Reading is no change, and we read ourselves.
    if !matches!(event.kind, EventKind::Access(_)) {
        changed.extend(event.paths.into_iter().filter(|path| matters(path)));
    }
    Ok(())
}

fn matters(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("mo"))
        || path.file_name() == Some(OsStr::new("package.order"))
}

fn failure(error: notify::Error) -> Failure {
    Failure::Io(std::io::Error::other(error))
}
