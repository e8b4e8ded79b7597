//! Telling the user that a check takes long: mostly because a library is read for the first time.

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{Notification as NotificationKind, Progress as ProgressKind};
use lsp_types::request::{Request as RequestKind, WorkDoneProgressCreate};
use lsp_types::{
    NumberOrString, ProgressParams, ProgressParamsValue, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use std::time::{Duration, Instant};

/// What is told about the check under way. All times are those of the caller's ticks.
pub(crate) struct Progress {
    wanted: bool,
    started: Option<Instant>,
    files_at_start: usize,
    files_told: usize,
    /// The token of what the client shows.
    shown: Option<i32>,
    tokens: i32,
}

/// Shorter work is not worth a word.
const PATIENCE: Duration = Duration::from_millis(400);

impl Progress {
    /// `wanted`: the client can show progress.
    pub const fn new(wanted: bool) -> Self {
        Self {
            wanted,
            started: None,
            files_at_start: 0,
            files_told: 0,
            shown: None,
            tokens: 0,
        }
    }

    /// A check begins, with so many files read. What is shown for one that it replaces stays.
    pub fn start(&mut self, files: usize) {
        if self.started.is_none() {
            (self.started, self.files_at_start) = (Some(Instant::now()), files);
        }
    }

    /// What to say now that so many files have been read.
    pub fn tick(&mut self, files: usize) -> Vec<Message> {
        let late = self.started.is_some_and(|it| it.elapsed() >= PATIENCE);
        if !self.wanted || !late {
            return Vec::new();
        }
        let read = files.saturating_sub(self.files_at_start);
        let message = match read {
            0 => None,
            _ => Some(format!("{read} files read")),
        };
        if let Some(token) = self.shown {
            if read == self.files_told {
                return Vec::new();
            }
            self.files_told = read;
            let report = WorkDoneProgressReport {
                message,
                ..Default::default()
            };
            return vec![progress(token, WorkDoneProgress::Report(report))];
        }
        self.tokens += 1;
        (self.shown, self.files_told) = (Some(self.tokens), read);
        let create = WorkDoneProgressCreateParams {
            token: NumberOrString::Number(self.tokens),
        };
        let id = RequestId::from(format!("modeshift/progress/{}", self.tokens));
        let create = Request::new(id, WorkDoneProgressCreate::METHOD.to_owned(), create);
        let title = match read {
            0 => "Analysing",
            _ => "Reading libraries",
        };
        let begin = WorkDoneProgressBegin {
            title: title.to_owned(),
            message,
            ..Default::default()
        };
        vec![
            Message::Request(create),
            progress(self.tokens, WorkDoneProgress::Begin(begin)),
        ]
    }

    /// The check is over.
    pub fn end(&mut self) -> Vec<Message> {
        self.started = None;
        let end = |token| progress(token, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
        self.shown.take().map(end).into_iter().collect()
    }
}

fn progress(token: i32, value: WorkDoneProgress) -> Message {
    let params = ProgressParams {
        token: NumberOrString::Number(token),
        value: ProgressParamsValue::WorkDone(value),
    };
    Message::Notification(Notification::new(ProgressKind::METHOD.to_owned(), params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_checks_are_told_and_each_that_begins_ends() {
        let mut progress = Progress::new(true);
        assert!(progress.tick(1).is_empty(), "nothing is under way");
        progress.start(1);
        assert!(progress.tick(1).is_empty(), "it has only begun");
        assert!(progress.end().is_empty(), "it was short");
        progress.start(1);
        progress.started = Some(Instant::now() - 2 * PATIENCE);
        assert_eq!(progress.tick(5).len(), 2, "create and begin");
        assert_eq!(progress.tick(5).len(), 0, "nothing is new");
        assert_eq!(progress.tick(9).len(), 1, "report");
        assert_eq!(progress.end().len(), 1);
        assert_eq!(progress.end().len(), 0);
    }
}
