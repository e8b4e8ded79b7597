//! `modeshift explain`: the page of a diagnostic code.

use super::Run;
use crate::pages;
use crate::ui::{Failure, Ui};
use modeshift_diag::Code;

/// Explain a diagnostic code
///
/// Prints the page of a code (as Markdown when it is not for a terminal): what it means for the modeller, why it matters, how to mend it, with
/// examples. Without a code, lists all codes.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift explain MS0002\n  \
    modeshift explain missing-semicolon\n  \
    modeshift explain")]
pub struct Explain {
    /// A code such as `MS0002`, or its name such as `missing-semicolon`
    codes: Vec<String>,
}

impl Run for Explain {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        if self.codes.is_empty() {
            return list(ui);
        }
        let codes = self
            .codes
            .iter()
            .map(|text| find(text))
            .collect::<Result<Vec<_>, _>>()?;
        let mut text = String::new();
        for (i, code) in codes.into_iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            match pages::page(code) {
                Some(page) => text.push_str(page.trim_end()),
                None => text.push_str(&format!("# {code}: {}", code.title())),
            }
            text.push('\n');
        }
        ui.print_page(&text)
    }
}

fn list(ui: &mut Ui) -> Result<(), Failure> {
    let width = Code::ALL
        .iter()
        .map(|code| code.slug().len())
        .max()
        .unwrap_or(0);
    ui.print(|out| {
        for code in Code::ALL {
            writeln!(out, "{code}  {:width$}  {}", code.slug(), code.title())?;
        }
        Ok(())
    })
}

fn find(text: &str) -> Result<Code, Failure> {
    Code::parse_or_slug(text).ok_or_else(|| {
        let hint = crate::hint::did_you_mean(text, Code::names());
        Failure::Usage(format!(
            "there is no diagnostic `{text}`{hint}\n`modeshift explain` without a code lists them all"
        ))
    })
}
