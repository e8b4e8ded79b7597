//! `modeshift parse`: read Modelica files and report what is wrong with their syntax.

mod outline;

use super::Run;
use crate::progress::Progress;
use crate::sources::{self, Sources};
use crate::threads;
use crate::ui::{Failure, Ui};
use modeshift_diag::json::JsonDiagnostic;
use modeshift_diag::{Diagnostic, Files, SourceFile};
use outline::ClassOutline;
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Parse files and report syntax errors
///
/// Reads every file, and every `*.mo` file below every directory, and reports what is not Modelica.
/// Nothing beyond syntax is checked; `modeshift check` does that.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift parse Clutch.mo\n  \
    modeshift parse --jobs 4 ~/Modelica\n  \
    modeshift parse --format json Clutch.mo | jq '.files[].classes[].name'")]
pub struct Parse {
    /// Files and directories
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "summary")]
    format: Format,

    #[command(flatten)]
    threads: threads::Jobs,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// One line: how much was read
    Summary,
    /// The classes and diagnostics of each file, see docs/schemas/parse.schema.json
    Json,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    bytes: usize,
    lines: usize,
    within: Option<String>,
    classes: Vec<ClassOutline>,
    diagnostics: Vec<JsonDiagnostic>,
    #[serde(skip)]
    class_count: usize,
    /// What is shown on the terminal, with the one file it is about.
    #[serde(skip)]
    shown: (Files, Vec<Diagnostic>),
}

impl Run for Parse {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        if self.format == Format::Json {
            ui.reserve_stdout();
        }
        let started = Instant::now();
        let sources = Sources::find(&self.paths)?;
        let with_outline = self.format == Format::Json;
        let progress = Progress::new(ui, sources.files.len(), "parsing");
        let mut reports: Vec<FileReport> = self.threads.install(|| {
            sources
                .files
                .par_iter()
                .map(|path| {
                    let report = parse_file(path, with_outline);
                    progress.advance();
                    report
                })
                .collect()
        })?;
        progress.finish();
        ui.report(sources.problems, &Files::new())?;
        for report in &mut reports {
            let (files, diagnostics) = std::mem::take(&mut report.shown);
            let judged = ui.judge(diagnostics);
            if with_outline {
                ui.count(&judged);
                report.diagnostics = judged
                    .iter()
                    .map(|diagnostic| JsonDiagnostic::new(diagnostic, &files))
                    .collect();
            } else {
                ui.report(judged, &files)?;
            }
        }
        match self.format {
            Format::Json => {
                ui.print_json(&Document {
                    schema: "modeshift.parse/1",
                    files: reports,
                })?;
            }
            Format::Summary => ui.summary(summary(&reports, ui))?,
        }
        ui.detail(
            1,
            format_args!("parsed in {:.2} s", started.elapsed().as_secs_f64()),
        )
    }
}

fn parse_file(path: &Path, with_outline: bool) -> FileReport {
    let (text, mut diagnostics) = sources::read(path);
    let parsed = modeshift_syntax::parse(&text);
    diagnostics.extend(parsed.errors);
    let name = path.display().to_string();
    let bytes = text.len();
    let lines = text.lines().count();
    let class_count = outline::count(&parsed.file.classes);
    let classes = if with_outline {
        let source = SourceFile::new("", text.as_str());
        parsed
            .file
            .classes
            .iter()
            .map(|class| ClassOutline::new(class, &source))
            .collect()
    } else {
        Vec::new()
    };
    let within = parsed.file.within.map(|within| match within.path {
        Some(path) => outline::dotted(&path),
        None => String::new(),
    });
    let shown = if diagnostics.is_empty() {
        Default::default()
    } else {
        sources::place_in_file(name.clone(), text, diagnostics)
    };
    FileReport {
        file: name,
        bytes,
        lines,
        within,
        classes,
        diagnostics: vec![],
        class_count,
        shown,
    }
}

/// `3 files, 120 lines: 7 classes, no errors`
fn summary(reports: &[FileReport], ui: &Ui) -> String {
    let sum = |count: fn(&FileReport) -> usize| reports.iter().map(count).sum::<usize>();
    format!(
        "{}, {}, {}: {}",
        crate::ui::plural(reports.len(), "file"),
        crate::ui::plural(sum(|report| report.lines), "line"),
        crate::ui::plural(sum(|report| report.class_count), "class"),
        ui.tally().unwrap_or_else(|| "no errors".to_owned()),
    )
}
