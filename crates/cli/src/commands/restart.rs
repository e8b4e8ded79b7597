//! `modeshift restart`: the numbers after a mode change.

use super::Run;
use crate::changes::{Found, given_parameter, parse_number, parse_valuation};
use crate::hint;
use crate::model::ModelArgs;
use crate::ui::{Failure, Ui};
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_driver::Analysed;
use modeshift_mdae::analysis::split_items;
use modeshift_mdae::model::MDae;
use modeshift_mdae::print::equation_body;
use modeshift_mdae::sym::{EvalError, ParamId, VarRef};
use modeshift_report::transitions::{RESTART_SCHEMA, RestartDocument, model_name, valuation};
use modeshift_restart::explore::{
    Exploration, Options, Transition, explore, initial_mode, initialise_from_fixed,
};
use modeshift_restart::left_limits::{Contradiction, Given, set_parameters};
use modeshift_restart::names::{PartNames, order_text};
use modeshift_restart::newton::SolveError;
use modeshift_restart::numeric::Numbers;
use modeshift_restart::solve::solve;
use modeshift_restart::verdict::Verdict;
use modeshift_sim::parameters::of_run;
use modeshift_sim::tape::Functions;
use std::fmt::Write as _;

/// Compute a restart: right limits and impulse weights for given values before a mode change
///
/// Values that are not given follow from the equations before the change, or are `start` values. Without
/// `--from` and `--to` the start of the model is computed, from its start values.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift restart Clutch.mo --from g=false --to g=true --at w1=1,w2=1.5\n  \
    modeshift restart Clutch.mo --from g=false --to g=true --at w1=1,w2=1.5 --set j2=4 --format json\n  \
    modeshift restart TwoInertias.mo --from initial")]
pub struct Restart {
    #[command(flatten)]
    model: ModelArgs,

    /// The mode before, `g=false`; `initial` for the start of the model
    #[arg(long, value_name = "VALUES")]
    from: Option<String>,

    /// The mode after
    #[arg(long, value_name = "VALUES")]
    to: Option<String>,

    /// Left limits: `w1=1,w2=1.5`; `time` is one of them
    #[arg(
        long,
        value_name = "VALUES",
        default_value = "",
        allow_hyphen_values = true
    )]
    at: String,

    /// Parameters: `j1=1`
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    set: Vec<String>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    /// See docs/schemas/restart.schema.json
    Json,
}

impl Run for Restart {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let machine = self.format == Format::Json;
        let session = self.model.session(ui)?;
        let Analysed {
            mut mdae,
            name,
            class,
            diagnostics,
            ..
        } = Analysed::lowered(&session, self.model.class.as_deref());
        let mut found = Found::new(&session, ui, diagnostics);
        let mut document = empty(name);
        let Some(mdae) = &mut mdae else {
            document.diagnostics = found.json();
            return found.finish(ui, machine.then_some(&document));
        };
        let options = self.options(mdae)?;
        let to = match &self.to {
            Some(text) => parse_valuation(mdae, text)?,
            None => Vec::new(),
        };
        let set = self.parameters(mdae)?;
        set_parameters(mdae, &set);
        let mdae = &*mdae;
        let mut given = self.given(mdae)?;
        let functions = class.map_or_else(Functions::default, |class| {
            Functions::new(&session.flat(class).model.functions)
        });
        let (params, guessed) = of_run(mdae, &functions, &set, given.time);
        given.params = params;
        let mut explored = match &options {
            Some(options) => explore(mdae, options, &|_, _| {}),
            None => initialise_from_fixed(mdae, &mut given, &to),
        };
        let chosen = nearest(&explored, &given).cloned();
        explored
            .transitions
            .retain(|it| Some(it) == chosen.as_ref());
        if let Some(class) = class {
            found.look_at_modes(class, &mut explored);
        }
        match explored.transitions.first() {
            Some(transition) => {
                found.add(modeshift_restart::diagnose::diagnose(
                    &explored, transition, 1,
                ));
                let problems = fill(&mut document, &explored, transition, &given);
                let guessed = guessed
                    .iter()
                    .map(|id| mdae.parameter(*id).name.to_string());
                document.assumed.extend(guessed);
                found.add(problems);
            }
            None => found.no_such_change(mdae, self.from.as_deref(), self.to.as_deref()),
        }
        document.diagnostics = found.json();
        if !machine {
            let text = text(&document);
            ui.print(|out| out.write_all(text.as_bytes()))?;
        }
        found.finish(ui, machine.then_some(&document))
    }
}

impl Restart {
    /// `None` for the initialisation.
    fn options(&self, mdae: &mut MDae) -> Result<Option<Options>, Failure> {
        let initial = match (self.from.as_deref().map(str::trim), &self.to) {
            (Some("initial" | ""), _) | (None, None) => true,
            (Some(_), _) | (None, Some(_)) => false,
        };
        if initial {
            return Ok(None);
        }
        let mut options = Options {
            selected: true,
            ..Options::default()
        };
        for (text, list) in [(&self.from, &mut options.from), (&self.to, &mut options.to)] {
            if let Some(text) = text {
                *list = parse_valuation(mdae, text)?;
            }
        }
        Ok(Some(options))
    }

    fn parameters(&self, mdae: &MDae) -> Result<FxHashMap<ParamId, f64>, Failure> {
        let items = self.set.iter().flat_map(|text| split_items(text));
        items.map(|item| given_parameter(mdae, item)).collect()
    }

    fn given(&self, mdae: &MDae) -> Result<Given, Failure> {
        let mut given = Given::default();
        for item in split_items(&self.at) {
            let (name, value) = parse_number(item)?;
            if name == "time" {
                given.time = value;
            } else {
                given.left.insert(parse_occurrence(mdae, name)?, value);
            }
        }
        Ok(given)
    }
}

/// `w1` or `der(w1)`.
fn parse_occurrence(mdae: &MDae, text: &str) -> Result<VarRef, Failure> {
    let (mut name, mut order) = (text, 0);
    while let Some(inner) = name
        .strip_prefix("der(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        name = inner.trim();
        order += 1;
    }
    let var = mdae.find_variable(name).ok_or_else(|| {
        hint::no_such("variable", name, mdae.variables.iter().map(|it| &*it.name))
    })?;
    Ok(VarRef::now(var, order))
}

fn empty(model: String) -> RestartDocument {
    RestartDocument {
        schema: RESTART_SCHEMA,
        model,
        from: None,
        to: FxIndexMap::default(),
        transient: None,
        verdict: Verdict::Undetermined,
        left: FxIndexMap::default(),
        assumed: Vec::new(),
        right: FxIndexMap::default(),
        weights: FxIndexMap::default(),
        orders: FxIndexMap::default(),
        contradictions: Vec::new(),
        residual: 0.0,
        diagnostics: Vec::new(),
    }
}

/// The change that was asked for. Mode variables that were not given have the values they start with,
/// as far as possible.
fn nearest<'e>(explored: &'e Exploration<'_>, given: &Given) -> Option<&'e Transition> {
    let start = initial_mode(explored.modes.mdae, &[], given);
    explored.transitions.iter().min_by_key(|transition| {
        let from = transition.from.iter().flat_map(|mode| mode.iter());
        from.zip(start.iter()).filter(|(a, b)| a != b).count()
    })
}

/// Solves the change. What went wrong is returned.
fn fill(
    document: &mut RestartDocument,
    explored: &Exploration<'_>,
    transition: &Transition,
    given: &Given,
) -> Vec<Diagnostic> {
    let mdae = explored.modes.mdae;
    document.from = transition.from.as_ref().map(|mode| valuation(mdae, mode));
    document.to = valuation(mdae, &transition.to);
    document.transient = transition
        .transient
        .as_ref()
        .map(|mode| valuation(mdae, mode));
    document.verdict = explored.verdict(transition);
    let restarted = solve(explored, transition, given);
    let name = |occurrence: VarRef| model_name(mdae, occurrence);
    let named = |(occurrence, value): (&VarRef, &f64)| (name(*occurrence), *value);
    document.left = restarted.left.iter().map(named).collect();
    document.right = restarted.right.iter().map(named).collect();
    document.assumed = restarted.assumed.iter().map(|v| name(*v)).collect();
    for (occurrence, weight) in &restarted.weights {
        document.weights.insert(name(*occurrence), weight.value);
        document
            .orders
            .insert(name(*occurrence), order_text(weight.order));
    }
    document.residual = restarted.residual;
    document.contradictions = restarted
        .contradictions
        .iter()
        .map(|c| contradicted_text(mdae, c))
        .collect();
    let mut problems = Vec::new();
    if !restarted.contradictions.is_empty() {
        problems.push(contradicted(explored, &restarted.contradictions));
    }
    let modes = &explored.modes;
    if let Some(failure) = restarted.failures.into_iter().next()
        && let Some(result) = explored.parts.get(failure.part)
    {
        let names = PartNames {
            mdae,
            elimination: &modes.elimination,
            result,
        };
        problems.push(not_solved(&names, &failure.numbers, failure.error));
    }
    problems
}

/// The equation that does not hold, as text.
fn contradicted_text(mdae: &MDae, contradiction: &Contradiction) -> String {
    match contradiction.equation {
        Some(id) => equation_body(mdae, &mdae.equations[id]),
        None => "the zero crossing that causes the change".to_owned(),
    }
}

fn contradicted(explored: &Exploration<'_>, list: &[Contradiction]) -> Diagnostic {
    let mdae = explored.modes.mdae;
    let texts: Vec<String> = list
        .iter()
        .take(4)
        .map(|c| match c.equation {
            Some(_) => format!("`{}`", contradicted_text(mdae, c)),
            None => contradicted_text(mdae, c),
        })
        .collect();
    let more = list.len().saturating_sub(texts.len());
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let message = format!(
        "the given values before the change contradict {}{more}",
        texts.join(", ")
    );
    let mut diagnostic = Diagnostic::new(Code::MS5015, message);
    for id in list.iter().filter_map(|c| c.equation).take(12) {
        let at = mdae.equations[id].origin.span;
        diagnostic = diagnostic.label(at, "does not hold before the change");
    }
    diagnostic.note("the restart is computed from the values as they are; no run can come to it")
}

fn not_solved(names: &PartNames<'_>, numbers: &Numbers, error: SolveError) -> Diagnostic {
    let message = match &error {
        SolveError::Evaluate(EvalError::Variable(v))
            if (v.var.0 as usize) < names.result.part.vars.len() =>
        {
            format!(
                "the restart needs a value of `{}` before the change",
                names.state(*v)
            )
        }
        SolveError::Evaluate(EvalError::Parameter(id)) => {
            format!(
                "the restart needs a value of the parameter `{}`",
                names.mdae.parameter(*id).name
            )
        }
        SolveError::Evaluate(reason) => format!("the restart cannot be evaluated: {reason}"),
        SolveError::Singular => "the restart has no unique solution for these values".to_owned(),
        SolveError::Diverged(residual) => {
            format!("no solution of the restart was found; the smallest residual is {residual:.3e}")
        }
    };
    let diagnostic = Diagnostic::new(Code::MS5013, message);
    match error {
        SolveError::Evaluate(EvalError::Parameter(_)) => diagnostic.note("give it with `--set`"),
        SolveError::Evaluate(EvalError::Variable(_)) => diagnostic.note("give it with `--at`"),
        _ => {
            let mut used = String::from("left limits used:");
            let mut values: Vec<(String, f64)> = numbers
                .values
                .iter()
                .map(|(v, value)| (names.state(*v), *value))
                .collect();
            values.sort_by(|a, b| a.0.cmp(&b.0));
            for (name, value) in values.iter().take(20) {
                let _ = write!(used, " {name}={value}");
            }
            diagnostic.note(used)
        }
    }
}

fn text(document: &RestartDocument) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "verdict: {}", document.verdict);
    let mut section = |title: &str, values: &FxIndexMap<String, f64>| {
        if values.is_empty() {
            return;
        }
        let _ = writeln!(out, "{title}:");
        let longest = values
            .keys()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in values {
            let _ = writeln!(out, "  {name:<longest$} = {value}");
        }
    };
    section("left limits", &document.left);
    section("right limits", &document.right);
    section("impulse weights", &document.weights);
    if !document.assumed.is_empty() {
        let _ = writeln!(
            out,
            "assumed (neither given nor determined by the mode before): {}",
            document.assumed.join(", ")
        );
    }
    for equation in &document.contradictions {
        let _ = writeln!(out, "contradicted by the given values: {equation}");
    }
    if !document.right.is_empty() {
        let _ = writeln!(out, "residual: {:e}", document.residual);
    }
    out
}
