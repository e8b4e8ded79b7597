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
        Self::with_template(ui, steps, what, "{msg} [{bar:30}] {pos}/{len} {eta:>4}")
    }

    /// A bar for something that goes on in small parts, of which there are `steps`.
    pub fn of_parts(ui: &Ui, steps: usize, what: &'static str) -> Self {
        let template = "{msg} [{bar:30}] {percent:>3} %, ends in {eta}";
        Self::with_template(ui, steps, what, template)
    }

    fn with_template(ui: &Ui, steps: usize, what: &'static str, template: &str) -> Self {
        let target = if ui.is_interactive() && steps >= WORTHWHILE {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target).with_message(what);
        // The template is a constant; were it wrong, the default one would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar }
    }

    /// One step is done. Any thread may say so.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// So many steps are done; `what` tells where that is.
    pub fn reach(&self, steps: usize, what: String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(what);
            self.bar.set_position(steps as u64);
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
