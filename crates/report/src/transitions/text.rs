//! Mode changes for people: a table, a text with all restart systems, LaTeX.

use super::{Class, Document, RestartLine, Source, Valuation};
use modeshift_base::FxIndexMap;
use std::fmt::Write as _;

/// More classes than this are summed up by what changes.
const MAX_ROWS: usize = 40;

/// One line per class of changes, no wider than `room` as far as lists of names can be cut. Where there are many classes,
/// one line for each condition, direction and verdict.
pub fn table(document: &Document, room: usize) -> String {
    let classes: Vec<&Class> = (document.initialisation.iter())
        .chain(&document.transitions)
        .collect();
    let mut out = String::new();
    if classes.len() > MAX_ROWS {
        rows(&summed(&classes), room, &mut out);
        out.push_str("the classes of each change differ in what else holds: `--from` and `--to` list those of one change\n");
    } else {
        let mut table = vec![
            ["change", "verdict", "jumps", "impulsive"]
                .map(Cell::text)
                .to_vec(),
        ];
        table.extend(classes.iter().map(|class| {
            vec![
                Cell::Text(headline(class)),
                Cell::text(class.result.verdict.as_str()),
                Cell::Names(class.result.jumps.clone()),
                Cell::Names(impulses(class)),
            ]
        }));
        rows(&table, room, &mut out);
    }
    footer(document, &mut out);
    out
}

/// One row for all classes in which the same changes with the same verdict.
fn summed(classes: &[&Class]) -> Vec<Vec<Cell>> {
    let mut alike: FxIndexMap<(String, &str), Vec<&Class>> = FxIndexMap::default();
    for &class in classes {
        let change = match &class.from {
            Some(_) => change(class),
            None => "start".to_owned(),
        };
        let key = (change, class.result.verdict.as_str());
        alike.entry(key).or_default().push(class);
    }
    let head = [
        "change",
        "classes",
        "changes",
        "verdict",
        "jumps",
        "impulsive",
    ];
    let mut table = vec![head.map(Cell::text).to_vec()];
    for ((change, verdict), classes) in alike {
        let changes = classes.iter().map(|class| class.count).sum();
        let sizes = |names: &dyn Fn(&Class) -> usize| {
            let sizes = || classes.iter().map(|&class| names(class));
            match (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)) {
                (0, 0) => String::new(),
                (least, most) if least == most => plural(most),
                (least, most) => format!("{least} to {}", plural(most)),
            }
        };
        table.push(vec![
            Cell::Text(change),
            Cell::Text(classes.len().to_string()),
            Cell::Text(amount(changes)),
            Cell::text(verdict),
            Cell::Text(sizes(&|class| class.result.jumps.len())),
            Cell::Text(sizes(&|class| impulses(class).len())),
        ]);
    }
    table
}

fn plural(variables: usize) -> String {
    match variables {
        1 => "1 variable".to_owned(),
        many => format!("{many} variables"),
    }
}

/// A field of a table.
#[derive(Clone)]
enum Cell {
    Text(String),
    /// Cut after some names where there is no room.
    Names(Vec<String>),
}

impl Cell {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// What is shown of it within `room`, but at least one name.
    fn within(&self, room: usize) -> String {
        let names = match self {
            Self::Text(text) => return text.clone(),
            Self::Names(names) => names,
        };
        let whole = names.join(", ");
        let mut shown = names.len();
        let mut text = whole;
        while width(&text) > room && shown > 1 {
            shown -= 1;
            text = format!(
                "{} and {} more",
                names[..shown].join(", "),
                names.len() - shown
            );
        }
        text
    }
}

/// Columns side by side, the first row as their heading.
fn rows(table: &[Vec<Cell>], room: usize, out: &mut String) {
    const GAP: usize = 2;
    let columns = table.first().map_or(0, Vec::len);
    let widest = |column: usize, room: usize| {
        let cells = table.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| width(&cell.within(room)))
            .max()
            .unwrap_or(0)
    };
    let is_names = |column: usize| {
        let mut cells = table.iter().filter_map(|row| row.get(column));
        cells.any(|cell| matches!(cell, Cell::Names(_)))
    };
    let texts: usize = (0..columns)
        .filter(|&column| !is_names(column))
        .map(|column| widest(column, 0))
        .sum();
    let lists = (0..columns).filter(|&column| is_names(column)).count();
    let left = room.saturating_sub(texts + GAP * columns.saturating_sub(1));
    // What one list does not need is left for the next.
    let mut widths = Vec::new();
    let mut waiting = lists;
    let mut free = left;
    for column in 0..columns {
        if is_names(column) {
            let taken = widest(column, free / waiting.max(1));
            free = free.saturating_sub(taken);
            waiting -= 1;
            widths.push(taken);
        } else {
            widths.push(widest(column, 0));
        }
    }
    for (i, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, &width)| pad(&cell.within(width), width));
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(line.trim_end());
        out.push('\n');
        if i == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            out.push_str(&rules.join("  "));
            out.push('\n');
        }
    }
}

/// Every class with its restart system and where each line comes from.
pub fn text(document: &Document) -> String {
    let mut out = String::new();
    for class in document.initialisation.iter().chain(&document.transitions) {
        class_text(class, &mut out);
        out.push('\n');
    }
    footer(document, &mut out);
    out
}

fn class_text(class: &Class, out: &mut String) {
    let result = &class.result;
    let _ = writeln!(out, "{}: {}", headline(class), result.verdict);
    if result.needs_earlier_time {
        out.push_str("  cannot happen: time does not run backwards\n");
    }
    line(out, "jumps", &result.jumps);
    line(out, "impulsive", &impulses(class));
    line(out, "not determined", &result.undetermined_states);
    if result.undetermined_states.is_empty() && result.jumps.is_empty() && class.transient.is_none()
    {
        line(out, "continuous", &result.determined_states);
    }
    for fact in &result.facts {
        let _ = writeln!(
            out,
            "  holds already: {}  ({})",
            fact.equation,
            reason(fact.reason)
        );
    }
    for law in &result.redundant {
        let _ = writeln!(out, "  redundant: {}", law.equation);
    }
    for row in &result.conflicts {
        let _ = writeln!(out, "  in conflict: {}{}", row.equation, place(&row.source));
    }
    for row in &result.nonlinear {
        let _ = writeln!(
            out,
            "  impulse in a function: {}{}",
            row.equation,
            place(&row.source)
        );
    }
    for flag in &result.flags {
        let _ = writeln!(out, "  {}: {}", flag.flag, flag.variables.join(", "));
    }
    if !result.restart.is_empty() {
        out.push_str("  restart:\n");
        let longest = result
            .restart
            .iter()
            .map(|row| width(&row.equation))
            .max()
            .unwrap_or(0);
        for row in &result.restart {
            let equation = pad(&row.equation, longest);
            let _ = writeln!(out, "    {equation}   {}", origin(row));
        }
    }
}

fn line(out: &mut String, title: &str, names: &[String]) {
    if !names.is_empty() {
        let _ = writeln!(out, "  {title}: {}", names.join(", "));
    }
}

fn reason(reason: &str) -> &str {
    match reason {
        "zero-crossing" => "by the zero crossing",
        "start-values" => "by the start values",
        "previous-mode" => "by the mode before",
        _ => "follows from the rest",
    }
}

fn origin(row: &RestartLine) -> String {
    match &row.source.source {
        Some(source) => format!("from {source}{}", place(&row.source)),
        None => "continuity".to_owned(),
    }
}

fn place(source: &Source) -> String {
    let mut text = String::new();
    if let Some(span) = &source.span
        && let Some(file) = &span.file
    {
        let _ = write!(text, "  {file}:{}", span.line);
    }
    if let Some(instance) = &source.instance {
        let _ = write!(text, " in {instance}");
    }
    text
}

/// `g: false → true`, with what stays.
fn headline(class: &Class) -> String {
    let Some(from) = &class.from else {
        return "start".to_owned();
    };
    let instant = class.transient.as_ref().unwrap_or(&class.to);
    let mut text = change(class);
    let stays = constant_values(from, instant, class.own);
    if class.count > 1 {
        let _ = write!(text, " and {} more", amount(class.count - 1));
    } else if !stays.is_empty() && stays.len() <= 6 {
        let _ = write!(text, " [{}]", stays.join(", "));
    }
    text
}

/// What changes, without what stays.
fn change(class: &Class) -> String {
    let mut text = class.headline.clone();
    if text.is_empty() {
        text = class.event.replace('`', "");
    }
    if class.transient.is_some() {
        text.push_str(" (an instant)");
    }
    text
}

fn constant_values(from: &Valuation, to: &Valuation, own: usize) -> Vec<String> {
    // Conditions that a translation made up, such as the ticks of clocks, have names that nobody wrote.
    from.iter()
        .take(own)
        .filter(|(name, value)| !name.contains('$') && to.get(*name) == Some(value))
        .map(|(name, value)| {
            if *value {
                name.clone()
            } else {
                format!("not {name}")
            }
        })
        .collect()
}

fn impulses(class: &Class) -> Vec<String> {
    let order = |order: &str| {
        if order == "1" {
            String::new()
        } else {
            format!(" ({order})")
        }
    };
    class.result.impulsive[..class.result.own_impulses]
        .iter()
        .map(|(name, mu)| format!("{name}{}", order(mu)))
        .collect()
}

fn footer(document: &Document, out: &mut String) {
    let classes = document.transitions.len() as u64;
    let changes = document.change_count;
    if changes == 0 && document.initialisation.is_none() {
        out.push_str("no mode changes\n");
    } else if changes > classes {
        let changes = amount(changes);
        let plural = if classes == 1 { "class" } else { "classes" };
        let _ = writeln!(out, "{changes} changes in {classes} {plural}");
    }
    if document.independent.len() > 1 {
        let _ = writeln!(
            out,
            "the conditions form {} independent groups: each change is listed once and happens \
             whatever the other groups do",
            document.independent.len()
        );
    }
    if let Some(left_out) = &document.left_out {
        let _ = writeln!(out, "{left_out}");
    }
}

/// The restart systems as LaTeX.
pub fn latex(document: &Document) -> String {
    let mut out = String::new();
    for class in document.initialisation.iter().chain(&document.transitions) {
        let title = latex_text(&headline(class));
        let _ = writeln!(out, "\\paragraph{{{title}}} {}", class.result.verdict);
        let latex = |names: &[String]| latex_text(&names.join(", "));
        if !class.result.jumps.is_empty() {
            let _ = writeln!(out, "Jumps: {}.", latex(&class.result.jumps));
        }
        let impulses = impulses(class);
        if !impulses.is_empty() {
            let _ = writeln!(out, "Impulsive: {}.", latex(&impulses));
        }
        if class.result.restart.is_empty() {
            continue;
        }
        out.push_str("\\begin{align*}\n");
        for row in &class.result.restart {
            let equation = row.latex.replacen(" = ", " &= ", 1);
            let origin = match &row.source.source {
                Some(source) => latex_text(source),
                None => "continuity".to_owned(),
            };
            let _ = writeln!(out, "  {equation} && \\text{{{origin}}} \\\\");
        }
        out.push_str("\\end{align*}\n");
    }
    out
}

/// Numbers beyond any counting are told by their size.
fn amount(count: u64) -> String {
    if count < 1_000_000_000 {
        count.to_string()
    } else {
        "more than 10⁹".to_owned()
    }
}

/// Text outside formulas.
fn latex_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '_' | '&' | '%' | '#' | '$' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '→' => out.push_str("$\\to$"),
            c => out.push(c),
        }
    }
    out
}

/// Columns that a text takes, combining marks aside: one per character.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, to: usize) -> String {
    let missing = to.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}
