//! The edit that lets a condition read the value before the instant: `s <= 0` becomes `pre(s) <= 0`.

use crate::analysis::Analysis;
use crate::loops::Status;
use crate::model::ModeDef;
use crate::sym::At;
use modeshift_flat::model::Place;
use std::ops::Range;

/// A variable that a condition should read as a left limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lag {
    /// The equation that holds the condition.
    pub place: Place,
    /// The variable as it is called in the class of that equation, without subscripts.
    pub name: String,
}

/// What to change to break the fixpoints of a model.
pub fn lags(analysis: &Analysis) -> Vec<Lag> {
    let mdae = &analysis.mdae;
    let mut found: Vec<Lag> = Vec::new();
    for &mode in analysis
        .loops
        .iter()
        .filter(|decided| decided.status == Status::StateChanging)
        .flat_map(|decided| &decided.modes)
    {
        let mode = &mdae.modes[mode];
        let ModeDef::Predicate(predicate) = &mode.def else {
            continue;
        };
        let mut reads = crate::sym::variables(&predicate.lhs);
        reads.extend(crate::sym::variables(&predicate.rhs));
        for occurrence in reads {
            if occurrence.at == At::Left || occurrence.order > 0 || !mdae.is_unknown(occurrence.var)
            {
                continue;
            }
            let name = local_name(&mdae.variable(occurrence.var).name, &mode.origin.instance);
            let lag = Lag {
                place: mode.origin.span,
                name,
            };
            if !found.contains(&lag) {
                found.push(lag);
            }
        }
    }
    found
}

/// `d.s[2]` seen from instance `d` is `s`.
fn local_name(name: &str, instance: &str) -> String {
    let local = match name.strip_prefix(instance) {
        Some(rest) if !instance.is_empty() => rest.strip_prefix('.').unwrap_or(name),
        _ => name,
    };
    local.split('[').next().unwrap_or(local).to_owned()
}

impl Lag {
    /// The replacements in the text of the equation: where the name stands alone on one side of a relation.
    /// Elsewhere (as an operand, inside a call) the edit might change more than the condition.
    pub fn edits(&self, equation: &str) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        for (at, _) in equation.match_indices(&self.name) {
            let before = equation[..at].trim_end();
            let is_part =
                equation[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let end = at + self.name.len() + subscript_len(&equation[at + self.name.len()..]);
            let rest = &equation[end..];
            let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            if is_part || goes_on {
                continue;
            }
            let after = rest.trim_start();
            if before_relation(after) && starts_operand(before)
                || after_relation(before) && ends_operand(after)
            {
                let text = format!("pre({})", &equation[at..end]);
                edits.push((at..end, text));
            }
        }
        edits
    }
}

/// How far a declaration goes whose name `text` begins with: to the comma or semicolon after its binding. A condition
/// that is a binding has the place of the name alone.
pub fn declaration_len(text: &str) -> usize {
    let mut depth = 0;
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' if depth <= 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// The length of `[k]` right behind a name.
fn subscript_len(text: &str) -> usize {
    if !text.starts_with('[') {
        return 0;
    }
    text.find(']').map_or(0, |end| end + 1)
}

fn before_relation(after: &str) -> bool {
    after.starts_with(['<', '>'])
}

fn after_relation(before: &str) -> bool {
    before.ends_with(['<', '>']) || before.ends_with("<=") || before.ends_with(">=")
}

/// Nothing before the name belongs to the same side of the relation.
fn starts_operand(before: &str) -> bool {
    let words = [
        "if", "elseif", "and", "or", "not", "when", "elsewhen", "then", "else",
    ];
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or("");
    before.is_empty() || before.ends_with(['=', '(', '{', ',']) || words.contains(&word)
}

fn ends_operand(after: &str) -> bool {
    let words = ["then", "and", "or", "else", "loop"];
    let word = after
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or("");
    after.is_empty() || after.starts_with([')', '}', ',', ';', '"']) || words.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::Lag;
    use modeshift_base::{FileId, FileSpan, Span};

    fn edited(name: &str, equation: &str) -> String {
        let place = FileSpan {
            file: FileId(0),
            span: Span::default(),
        };
        let lag = Lag {
            place,
            name: name.to_owned(),
        };
        let mut text = equation.to_owned();
        for (range, new) in lag.edits(equation).into_iter().rev() {
            text.replace_range(range, &new);
        }
        text
    }

    #[test]
    fn only_the_condition_is_edited() {
        assert_eq!(edited("s", "g = s <= 0"), "g = pre(s) <= 0");
        assert_eq!(edited("s", "g[k] = s[k] >= 0"), "g[k] = pre(s[k]) >= 0");
        assert_eq!(
            edited("s", "v = if s > 0 then s else 2*s"),
            "v = if pre(s) > 0 then s else 2*s"
        );
        assert_eq!(
            edited("s", "g = 0 < s and ss > 0"),
            "g = 0 < pre(s) and ss > 0"
        );
    }

    #[test]
    fn a_binding_ends_with_its_declaration() {
        let text = "d(start = f(1, 2)) = s >= 0 \"a, b\", e = s < 0;";
        let end = super::declaration_len(text);
        assert_eq!(&text[..end], "d(start = f(1, 2)) = s >= 0 \"a, b\"");
        assert_eq!(
            edited("s", &text[..end]),
            "d(start = f(1, 2)) = pre(s) >= 0 \"a, b\""
        );
    }

    #[test]
    fn where_the_name_is_an_operand_nothing_is_offered() {
        assert_eq!(edited("s", "g = x + s > 0"), "g = x + s > 0");
        assert_eq!(edited("s", "g = s + x > 0"), "g = s + x > 0");
    }
}
