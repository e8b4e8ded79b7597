//! `modeshift compare`: our flat models against those of OpenModelica.

use super::Run;
use super::flatten::openmodelica_shape;
use crate::openmodelica::{Openmodelica, Printed};
use crate::progress::Progress;
use crate::sources::Sources;
use crate::threads;
use crate::ui::{Failure, Ui};
use modeshift_diag::Diagnostic;
use modeshift_driver::{ClassId, OsSystem, Session, Settings, flat_with};
use modeshift_flat::export::modelica::write_flat;
use modeshift_report::compare::{
    Comparison, Difference, Document, FlatText, Kind, Known, Outcome, SCHEMA, Summary, compare,
    differences, extensions, junit, summary,
};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

/// Compare flat models with those of OpenModelica
///
/// Flattens every file with modeshift and with `omc`, or takes what omc printed once, and tells what differs:
/// variables, types, attributes, bindings, equations, algorithms and functions. How numbers are written, the order,
/// the sides of an equation, which equations of a connection set are written down and which of its names an alias
/// goes by do not count.
///
/// The class of a file is its last one. Exits with 1 if anything differs that the list of known differences does
/// not explain.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift compare Clutch.mo\n  \
    modeshift compare --omc /opt/openmodelica/bin/omc models\n  \
    modeshift compare --recorded recorded --known differences.txt models\n  \
    modeshift compare --format junit models > compare.xml")]
pub struct Compare {
    /// Files, and directories with files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The omc to run; by default the one on the PATH
    #[arg(long, value_name = "PATH", conflicts_with = "recorded")]
    omc: Option<PathBuf>,

    /// An option to give to omc, such as `--std=3.6`
    #[arg(
        long,
        value_name = "OPTION",
        allow_hyphen_values = true,
        conflicts_with = "recorded"
    )]
    omc_option: Vec<String>,

    /// Directories with what omc printed: `NAME.txt`, or `NAME.err` where it rejected the model; see tools/record-omc
    #[arg(long, value_name = "DIR")]
    recorded: Vec<PathBuf>,

    /// A directory with libraries, for both tools; searched together with MODELICAPATH
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    libraries: Vec<PathBuf>,

    /// The list of known differences, with their reasons
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    threads: threads::Jobs,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// What differs, and a table
    Text,
    /// Everything, see docs/schemas/compare.schema.json
    Json,
    /// For CI servers
    Junit,
}

impl Run for Compare {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let known = self.known()?;
        let files = Sources::find(&self.paths)?.files;
        let libraries = self.libraries()?;
        let omc = Openmodelica::choose(
            self.omc.as_deref(),
            &self.omc_option,
            &self.recorded,
            &files,
        )?;
        let omc = omc.with_libraries(&libraries);
        let base = env::current_dir()?;
        let bar = Progress::new(ui, files.len(), "comparing");
        let models = self.threads.install(|| {
            files
                .par_iter()
                .map(|file| {
                    let compared = Job {
                        file,
                        base: &base,
                        libraries: &libraries,
                        omc: &omc,
                        known: &known,
                    }
                    .run();
                    bar.advance();
                    compared
                })
                .collect::<Result<Vec<Comparison>, Failure>>()
        })??;
        bar.finish();
        let openmodelica = omc.version();
        let document = Document {
            schema: SCHEMA,
            openmodelica,
            summary: Summary::of(&models),
            models,
        };
        if document.summary.different > 0 {
            ui.fail();
        }
        match self.format {
            Format::Json => ui.print_json(&document),
            Format::Junit => ui.print(|out| out.write_all(junit(&document).as_bytes())),
            Format::Text => print_text(ui, &document),
        }
    }
}

fn print_text(ui: &mut Ui, document: &Document) -> Result<(), Failure> {
    let all = ui.is_verbose();
    ui.print(|out| {
        for model in document
            .models
            .iter()
            .filter(|m| m.result == Outcome::Different || (all && !m.differences.is_empty()))
        {
            writeln!(
                out,
                "{} ({}) differs: - OpenModelica, + modeshift",
                model.class, model.file
            )?;
            writeln!(out, "{}", differences(model))?;
        }
        for model in document
            .models
            .iter()
            .filter(|model| !model.stale.is_empty())
        {
            for label in &model.stale {
                writeln!(
                    out,
                    "{}: `{label}` does not differ any more; take it off the list",
                    model.class
                )?;
            }
        }
        write!(out, "{}", summary(document, all))
    })
}

impl Compare {
    /// The directories with libraries, those of the MODELICAPATH last.
    fn libraries(&self) -> Result<Vec<PathBuf>, Failure> {
        if let Some(dir) = self.libraries.iter().find(|dir| !dir.is_dir()) {
            return Err(Failure::Usage(format!(
                "--library {}: there is no such directory",
                dir.display()
            )));
        }
        let path = env::var_os("MODELICAPATH").unwrap_or_default();
        let of_path = env::split_paths(&path).filter(|dir| dir.is_dir());
        Ok(self.libraries.iter().cloned().chain(of_path).collect())
    }

    fn known(&self) -> Result<Known, Failure> {
        let mut text = String::new();
        for path in &self.known {
            let list = fs::read_to_string(path).map_err(|error| {
                Failure::Usage(format!(
                    "{}: {}",
                    path.display(),
                    crate::sources::reason(&error)
                ))
            })?;
            Known::read(&list)
                .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
            text.push_str(&list);
            text.push('\n');
        }
        Known::read(&text).map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// One file.
struct Job<'j> {
    file: &'j Path,
    base: &'j Path,
    libraries: &'j [PathBuf],
    omc: &'j Openmodelica,
    known: &'j Known,
}

/// What became of a model in modeshift.
enum Ours {
    Flat(String),
    Rejected(Vec<Diagnostic>),
}

impl Job<'_> {
    fn run(&self) -> Result<Comparison, Failure> {
        let mut settings = Settings::in_dir(self.base);
        for dir in self.libraries {
            settings = settings.library(dir);
        }
        let mut session = Session::new(Arc::new(OsSystem), settings);
        session.open(self.file);
        let class = session.default_class().ok();
        let name = class.map(|class| session.name_of(class));
        let mut comparison = Comparison {
            file: self.file.display().to_string(),
            class: name.clone().unwrap_or_else(|| self.stem()),
            result: Outcome::NotRecorded,
            reason: None,
            variables: 0,
            equations: 0,
            differences: Vec::new(),
            stale: Vec::new(),
        };
        let ours = flatten(&session, class);
        if let Ours::Flat(text) = &ours
            && let Ok(flat) = FlatText::read(text)
        {
            (comparison.variables, comparison.equations) = flat.counts();
            let extensions = extensions(&flat);
            if !extensions.is_empty() {
                comparison.result = Outcome::NotExpressible;
                comparison.reason = Some(extensions.join(", "));
                return Ok(comparison);
            }
        }
        match self.omc.flatten(self.file, &comparison.class)? {
            None => return Ok(comparison),
            Some(Printed::Outdated) => {
                comparison.reason = Some("the model has changed since it was recorded".to_owned());
            }
            Some(printed) => self.judge(&session, class, printed, ours, &mut comparison),
        }
        Ok(comparison)
    }

    fn judge(
        &self,
        session: &Session,
        class: Option<ClassId>,
        theirs: Printed,
        ours: Ours,
        comparison: &mut Comparison,
    ) {
        let found = match (theirs, ours) {
            (Printed::Outdated, _) => return,
            (Printed::Rejected(_), Ours::Rejected(_)) => {
                comparison.result = Outcome::BothReject;
                return;
            }
            // omc may find out only when it translates; so may we.
            (Printed::Rejected(messages), Ours::Flat(_)) => {
                let name = class.map(|class| session.name_of(class));
                if session
                    .check(name.as_deref(), false)
                    .iter()
                    .any(Diagnostic::is_error)
                {
                    comparison.result = Outcome::BothReject;
                    return;
                }
                vec![verdict(
                    Some(format!("rejects: {}", first_line(&messages))),
                    Some("accepts".to_owned()),
                )]
            }
            (Printed::Flat(_), Ours::Rejected(diagnostics)) => {
                let why = diagnostics
                    .iter()
                    .find(|d| d.is_error())
                    .map(|d| format!("{}: {}", d.code, d.message));
                vec![verdict(
                    Some("accepts".to_owned()),
                    Some(format!("rejects: {}", why.unwrap_or_default())),
                )]
            }
            (Printed::Flat(theirs), Ours::Flat(ours)) => {
                match (FlatText::read(&theirs), FlatText::read(&ours)) {
                    (Ok(theirs), Ok(ours)) => compare(&theirs, &ours),
                    (theirs, ours) => {
                        let error = |read: Result<FlatText, _>| {
                            read.err()
                                .map(|error: modeshift_report::compare::ReadError| {
                                    error.to_string()
                                })
                        };
                        vec![verdict(error(theirs), error(ours))]
                    }
                }
            }
        };
        let judged = self.known.judge(&comparison.class, &found);
        comparison.result = match (found.is_empty(), judged.explained) {
            (true, _) => Outcome::Equal,
            (false, true) => Outcome::Known,
            (false, false) => Outcome::Different,
        };
        comparison.reason = judged
            .reason
            .filter(|_| comparison.result == Outcome::Known);
        comparison.stale = judged.stale;
        comparison.differences = found;
    }

    fn stem(&self) -> String {
        self.file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }
}

fn verdict(openmodelica: Option<String>, modeshift: Option<String>) -> Difference {
    Difference {
        kind: Kind::Verdict,
        function: None,
        item: "verdict".to_owned(),
        openmodelica,
        modeshift,
    }
}

fn first_line(text: &str) -> String {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim()
        .to_owned()
}

fn flatten(session: &Session, class: Option<ClassId>) -> Ours {
    let mut found = session.check_files();
    let Some(class) = class.filter(|_| !found.iter().any(Diagnostic::is_error)) else {
        return Ours::Rejected(found);
    };
    let flat = flat_with(session.db(), class, openmodelica_shape(session, class));
    found.extend(flat.diagnostics);
    let mut text = String::new();
    if found.iter().any(Diagnostic::is_error) || write_flat(&flat.model, &mut text).is_err() {
        return Ours::Rejected(found);
    }
    Ours::Flat(text)
}
