//! The report of a model as one page that needs nothing else: text, style and program are compiled in, the findings
//! are embedded as JSON.
//!
//! The page lists nothing that grows with the number of modes without a bound: classes of modes and of changes have
//! one entry each, matrices are drawn as far as they are in view, and single modes and changes are embedded up to
//! the limits below.

mod changes;
mod diagrams;
mod loops;
mod modes;
mod sources;
pub(crate) mod structure;

pub use crate::place::Places;
pub use changes::Diagnose;

use crate::ModelVerdict;
use crate::graph::{Picture, picture, readable_dependencies};
use crate::plot::page::Run;
use crate::transitions::LeftOut;
use changes::Changes;
use modes::{Condition, Dependency, Group};
use modeshift_diag::json::JsonDiagnostic;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::model::VarKind;
use modeshift_mdae::print::{condition, equation_body};
use modeshift_restart::explore::Exploration;
use serde::Serialize;
use serde_json::Value;
use sources::{SourceFile, SourceRef, Sources};
use structure::Structure;

/// Version of the embedded document.
pub const SCHEMA: &str = "modeshift.report/1";

/// What the report is about.
pub struct Input<'a> {
    pub analysis: &'a Analysis,
    pub explored: &'a Exploration<'a>,
    /// The start of the model.
    pub start: Option<&'a Exploration<'a>>,
    pub places: &'a Places<'a>,
    pub diagnose: Diagnose<'a>,
}

/// Everything the page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub schema: &'static str,
    pub generator: String,
    pub model: String,
    pub verdict: ModelVerdict,
    summary: Summary,
    pub diagnostics: Vec<JsonDiagnostic>,
    files: Vec<SourceFile>,
    variables: Vec<String>,
    conditions: Vec<Condition>,
    /// What restricts the modes.
    care: Vec<String>,
    equations: Vec<Equation>,
    /// The whole model, if its classes are known, and then each part of it.
    groups: Vec<Group>,
    structures: Vec<Structure>,
    /// Nodes of decision diagrams: condition, node where it holds, node where it does not.
    diagrams: Vec<u32>,
    dependencies: Vec<Dependency>,
    /// Dependencies that were left out.
    more_dependencies: usize,
    dependency_picture: Picture,
    changes: Changes,
    /// Conditions and unknowns that can only be found together.
    loops: Vec<loops::Loop>,
    /// What a run of the model looks like, if one was asked for.
    pub simulation: Option<Simulation>,
}

/// A run, or why there is none.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    pub run: Option<Run>,
    /// What is to be said about it.
    pub note: String,
}

#[derive(Clone, Debug, Serialize)]
struct Summary {
    equations: usize,
    unknowns: usize,
    parameters: usize,
    conditions: usize,
    /// Null beyond the node limit.
    modes: Value,
    parts: usize,
    changes: usize,
    /// There are more changes than were analysed.
    truncated: bool,
    /// Modes whose changes were not analysed.
    modes_not_analysed: Value,
    /// How many changes were not analysed, at most.
    changes_not_analysed: Value,
    /// What was not analysed, in words.
    left_out: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Equation {
    text: String,
    when: String,
    component: String,
    kind: &'static str,
    at: Option<SourceRef>,
}

/// Collects the document. `rejected` and `diagnostics` are told by the caller, who knows what the user denies.
pub fn document(
    input: Input<'_>,
    rejected: bool,
    mut diagnostics: Vec<JsonDiagnostic>,
) -> Document {
    let Input {
        analysis,
        explored,
        start,
        places,
        diagnose,
    } = input;
    let mdae = &analysis.mdae;
    let mut sources = Sources::new(places);
    let equations = mdae
        .equations
        .iter()
        .map(|equation| Equation {
            text: equation_body(mdae, equation),
            when: condition(mdae, equation.guard),
            component: equation.origin.instance.to_string(),
            kind: if equation.is_long() {
                "equation"
            } else {
                "law"
            },
            at: sources.of(&equation.origin),
        })
        .collect();
    let mut structures = structure::Collector::new(analysis);
    let mut diagrams = diagrams::Diagrams::new(analysis.sets());
    let groups = modes::groups(analysis, &mut structures, &mut diagrams);
    let (dependencies, more_dependencies) = modes::dependencies(analysis);
    let changes = changes::changes(analysis, explored, start, &mut sources, diagnose);
    diagnostics.extend(changes.diagnostics());
    for diagnostic in &diagnostics {
        let fixes = diagnostic.fixes.iter().flat_map(|fix| &fix.edits);
        let places = diagnostic.labels.iter().map(|label| &label.at);
        for at in places.chain(fixes.map(|edit| &edit.at)) {
            sources.add(at);
        }
    }
    let unknowns = mdae
        .variables
        .iter()
        .filter(|v| v.kind == VarKind::Unknown)
        .count();
    let left_out = LeftOut::of(explored, analysis.mode_count.as_ref());
    Document {
        schema: SCHEMA,
        generator: concat!("modeshift ", env!("CARGO_PKG_VERSION")).to_owned(),
        model: mdae.name.to_string(),
        verdict: ModelVerdict::of(rejected),
        summary: Summary {
            equations: analysis.rows.equations.len(),
            unknowns,
            parameters: mdae.parameters.len(),
            conditions: mdae.modes.iter().filter(|mode| !mode.auxiliary).count(),
            modes: analysis
                .mode_count
                .as_ref()
                .map_or(Value::Null, |count| Value::String(count.to_string())),
            parts: analysis.parts.len(),
            changes: explored.transitions.len(),
            truncated: explored.truncated,
            left_out: left_out.as_ref().map(LeftOut::text),
            modes_not_analysed: left_out.as_ref().map_or(Value::Null, |it| it.modes.clone()),
            changes_not_analysed: left_out.map_or(Value::Null, |it| it.changes),
        },
        diagnostics,
        variables: mdae
            .variables
            .iter()
            .map(|variable| variable.name.to_string())
            .collect(),
        conditions: modes::conditions(mdae, &mut sources),
        care: mdae
            .care
            .iter()
            .map(|fact| condition(mdae, fact.condition))
            .collect(),
        equations,
        groups,
        structures: structures.finish(),
        diagrams: diagrams.finish(),
        dependencies,
        more_dependencies,
        dependency_picture: picture(&readable_dependencies(analysis)),
        changes,
        loops: loops::loops(analysis),
        simulation: None,
        files: sources.finish(),
    }
}

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
/// One program, in the order of dependence.
const PROGRAM: &[&str] = &[
    include_str!("html/base.js"),
    include_str!("html/formula.js"),
    include_str!("html/bdd.js"),
    include_str!("html/math.js"),
    include_str!("html/source.js"),
    include_str!("html/matrix.js"),
    include_str!("html/picture.js"),
    include_str!("plot/plot.js"),
    include_str!("html/modes.js"),
    include_str!("html/dependencies.js"),
    include_str!("html/loops.js"),
    include_str!("html/changes.js"),
    include_str!("html/verdict.js"),
    include_str!("html/main.js"),
];

/// The page.
pub fn page(document: &Document) -> Result<String, serde_json::Error> {
    assembled(PAGE, &document.model, document, PROGRAM)
}

/// A template with its title, style, data and program.
pub(crate) fn assembled(
    template: &str,
    title: &str,
    data: &impl Serialize,
    program: &[&str],
) -> Result<String, serde_json::Error> {
    // `<` could end the element that holds the data, so it is written as JSON's escape.
    let data = serde_json::to_string(data)?.replace('<', "\\u003c");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let program = format!("'use strict';\n(() => {{\n{}}})();\n", program.concat());
    let mut page = String::with_capacity(template.len() + STYLE.len() + program.len() + data.len());
    let mut rest = template;
    // What is filled in is never read again: a model may be called `{{data}}`.
    while let Some((before, behind)) = rest.split_once("{{") {
        let (mark, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        page.push_str(before);
        page.push_str(match mark {
            "title" => &title,
            "style" => STYLE,
            "data" => &data,
            "program" => &program,
            _ => "",
        });
        rest = behind;
    }
    page.push_str(rest);
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::{PAGE, PROGRAM, STYLE, assembled};

    #[test]
    fn every_mark_of_the_page_is_filled_and_data_stays_as_it_is() {
        let page = assembled(PAGE, "{{data}} & <b>", &"{{style}}</script>", &["go();"]);
        let page = page.expect("strings can be written as JSON");
        assert!(page.contains("<title>{{data}} &amp; &lt;b> · modeshift report</title>"));
        assert!(page.contains(r#""{{style}}\u003c/script>""#));
        assert!(page.contains(STYLE) && page.contains("go();"));
        assert!(!page.contains("{{program}}") && !page.contains("{{title}}"));
    }

    #[test]
    fn the_page_asks_for_nothing_from_outside() {
        for text in PROGRAM.iter().chain([&PAGE, &STYLE]) {
            for word in [
                "http:",
                "https:",
                "url(",
                "@import",
                "fetch(",
                "XMLHttpRequest",
                "import(",
            ] {
                let found = text.match_indices(word).filter(|(at, _)| {
                    // The name of SVG's elements is no address, and an arrow head is on the page.
                    let rest = &text[*at..];
                    !rest.starts_with("http://www.w3.org/2000/svg") && !rest.starts_with("url(#")
                });
                assert_eq!(found.count(), 0, "{word}");
            }
        }
    }

    #[test]
    fn no_part_of_the_program_ends_its_element() {
        assert!(PROGRAM.iter().all(|text| !text.contains("</script")));
    }
}
