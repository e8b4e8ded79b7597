//! A progress bar on standard error, when a person watches and there is much to do.

use crate::ui::Ui;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer steps than this are over before a bar is read.
const WORTHWHILE: usize = 50;

pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `steps` steps of `what`; invisible unless standard error is a terminal.
    pub fn new(ui: &Ui, steps: usize, what: &'static str) -> Self {
        let target = if ui.is_interactive() && steps >= WORTHWHILE {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target).with_message(what);
        // The template is a constant; were it wrong, the default one would do.
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {eta:>4}") {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar }
    }

    /// One step is done. Any thread may say so.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
