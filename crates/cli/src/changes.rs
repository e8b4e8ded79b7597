//! What the commands on mode changes share: valuations on the command line, and diagnostics that go both to the user and
//! into a document.

use crate::ui::{Failure, Ui};
use modeshift_base::FileSpan;
use modeshift_diag::json::{JsonDiagnostic, JsonPlace};
use modeshift_diag::{Code, Diagnostic, Files};
use modeshift_driver::ClassId;
use modeshift_driver::Session;
use modeshift_mdae::analysis::split_items;
use modeshift_mdae::calm::Calm;
use modeshift_mdae::model::MDae;
use modeshift_mdae::sym::{CondId, ParamId};
use modeshift_report::transitions::LeftOut;
use modeshift_restart::explore::Exploration;
use std::collections::BTreeSet;

impl Found<'_> {
    /// Looks at the modes of changes that were named: says which conditions cannot be evaluated in them, because then there is no
    /// change to speak of, and corrects what is told about changes that leave states alone.
    pub fn look_at_modes(&mut self, class: ClassId, explored: &mut Exploration<'_>) {
        if explored.transitions.is_empty() {
            return;
        }
        let mut modes: Vec<&[bool]> = Vec::new();
        for transition in &explored.transitions {
            modes.extend(transition.from.as_deref());
            modes.push(&transition.to);
            modes.extend(transition.transient.as_deref());
        }
        let Some(analysis) = self.session.modes_like(class, &modes) else {
            return;
        };
        let mut found = self.session.findings(class, &analysis);
        found.retain(|it| it.code == Code::MS4002);
        self.add(found);
        explored.keep_calm(&Calm::new(&analysis));
    }
}

/// Reads `g=false, h=true`, `g, not h` or `state=Mode.Stuck`.
pub fn parse_valuation(mdae: &mut MDae, text: &str) -> Result<Vec<(CondId, bool)>, Failure> {
    let mut list = Vec::new();
    for item in split_items(text) {
        list.push(parse_item(mdae, item)?);
    }
    Ok(list)
}

/// `name=number`.
pub fn parse_number(item: &str) -> Result<(&str, f64), Failure> {
    let parsed = item.split_once('=').and_then(|(name, value)| {
        Some((
            name.trim(),
            value.trim().parse::<f64>().ok().filter(|v| v.is_finite())?,
        ))
    });
    parsed.ok_or_else(|| Failure::Usage(format!("`{item}` is not of the form `name=number`")))
}

/// A parameter of the model with a value of the user: `name=number`.
pub fn given_parameter(mdae: &MDae, item: &str) -> Result<(ParamId, f64), Failure> {
    let (name, value) = parse_number(item)?;
    let id = (0..mdae.parameters.len() as u32)
        .map(ParamId)
        .find(|&id| &*mdae.parameter(id).name == name)
        .ok_or_else(|| {
            let known = mdae.parameters.iter().map(|it| &*it.name);
            crate::hint::no_such("parameter", name, known)
        })?;
    let parameter = mdae.parameter(id);
    if parameter.structural && parameter.value != Some(value) {
        return Err(decides_structure(name));
    }
    Ok((id, value))
}

/// A parameter that no option can give another value.
pub fn decides_structure(name: &str) -> Failure {
    let message =
        format!("the value of `{name}` in the model decides its structure: change it there");
    Failure::Usage(message)
}

fn parse_item(mdae: &mut MDae, item: &str) -> Result<(CondId, bool), Failure> {
    if let Some(id) = mdae.find_mode(item) {
        return Ok((id, true));
    }
    if let Some(rest) = item.strip_prefix("not ")
        && let Some(id) = mdae.find_mode(rest.trim())
    {
        return Ok((id, false));
    }
    if let Some((name, value)) = item.rsplit_once('=') {
        let (name, value) = (name.trim(), value.trim());
        let truth = match value {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        };
        if let (Some(truth), Some(id)) = (truth, mdae.find_mode(name)) {
            return Ok((id, truth));
        }
        if let Some(id) = choice(mdae, name.trim_end_matches('=').trim(), value) {
            return Ok((id, true));
        }
    }
    let known: Vec<&str> = mdae
        .modes
        .iter()
        .map(|mode| &*mode.name)
        .chain(mdae.derived.iter().map(|derived| &*derived.name))
        .take(20)
        .collect();
    let known = if known.is_empty() {
        "the model has no conditions".to_owned()
    } else {
        format!("the conditions are {}", known.join(", "))
    };
    Err(Failure::Usage(format!(
        "`{item}` is no value of a condition such as `g=true`; {known}"
    )))
}

/// One value of an enumeration: `state = Mode.Stuck`, also by its last name.
fn choice(mdae: &MDae, name: &str, value: &str) -> Option<CondId> {
    let family = mdae.families.iter().find(|family| &*family.name == name)?;
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    family
        .values
        .iter()
        .find(|choice| &*choice.text == value || last(&choice.text) == last(value))
        .map(|choice| choice.condition)
}

/// Diagnostics on their way to the user.
pub struct Found<'s> {
    session: &'s Session,
    diagnostics: Vec<Diagnostic>,
    files: Files,
}

impl<'s> Found<'s> {
    pub fn new(session: &'s Session, ui: &Ui, diagnostics: Vec<Diagnostic>) -> Self {
        let report = session.report(diagnostics);
        Self {
            session,
            diagnostics: ui.judge_in(report.diagnostics, &report.files),
            files: report.files,
        }
    }

    /// Adds diagnostics; returns them as they appear in a document.
    pub fn add(&mut self, diagnostics: Vec<Diagnostic>) -> Vec<JsonDiagnostic> {
        if diagnostics.is_empty() {
            return Vec::new();
        }
        let report = self.session.report(diagnostics);
        let json = report
            .diagnostics
            .iter()
            .map(|d| JsonDiagnostic::new(d, &report.files))
            .collect();
        for (id, file) in report.files.iter() {
            self.files.insert(id, file.name(), file.text());
        }
        // What several changes say in the same words is said once.
        for diagnostic in report.diagnostics {
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
        json
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    pub fn json(&self) -> Vec<JsonDiagnostic> {
        self.diagnostics
            .iter()
            .map(|d| JsonDiagnostic::new(d, &self.files))
            .collect()
    }

    /// Tells places in the model's equations.
    pub fn locator(&self, mdae: &MDae) -> impl Fn(FileSpan) -> JsonPlace + use<'s> {
        let session = self.session;
        let places: BTreeSet<FileSpan> = mdae
            .equations
            .iter()
            .map(|equation| session.resolve(equation.origin.span))
            .collect();
        let files = session.files_of(places);
        move |at| JsonPlace::new(session.resolve(at), &files)
    }

    pub fn no_such_change(&mut self, mdae: &MDae, from: Option<&str>, to: Option<&str>) {
        let mut message = "there is no mode change".to_owned();
        for (word, text) in [("from", from), ("to", to)] {
            if let Some(text) = text {
                message.push_str(&format!(" {word} `{text}`"));
            }
        }
        let own = mdae.modes.iter().filter(|m| !m.auxiliary);
        let own = own.map(|m| &*m.name);
        let all = own.chain(mdae.derived.iter().map(|derived| &*derived.name));
        let written = all.filter(|name| !name.contains('$'));
        let names: Vec<String> = written.take(20).map(|name| format!("`{name}`")).collect();
        let mut diagnostic = Diagnostic::new(Code::MS5012, message);
        if !names.is_empty() {
            diagnostic = diagnostic.note(format!("the conditions are {}", names.join(", ")));
        }
        self.add(vec![diagnostic.note(
            "the modes must be possible, and conditions that follow from others change with them",
        )]);
    }

    pub fn too_many_changes(&mut self, left_out: &LeftOut) {
        let diagnostic = Diagnostic::new(Code::MS5011, left_out.text());
        self.add(vec![diagnostic.note(
            "name the change you are interested in with `--from` and `--to`; conditions that you do not name are as at the start",
        )]);
    }

    /// Shows what was found: in the document if there is one, else on the terminal.
    pub fn finish<D: serde::Serialize>(
        self,
        ui: &mut Ui,
        document: Option<&D>,
    ) -> Result<(), Failure> {
        match document {
            Some(document) => {
                let judged = ui.judge(self.diagnostics);
                ui.count(&judged);
                ui.print_json(document)
            }
            None => ui.report(self.diagnostics, &self.files),
        }
    }
}
