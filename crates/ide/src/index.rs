//! The classes of libraries and workspace by name, found by their words alone: no tree is built and nothing is kept
//! but names, so that all of a large library can be searched.

use modeshift_base::{Name, Span};
use modeshift_db::Files;
use modeshift_driver::Settings;
use modeshift_syntax::ast::ClassKind;
use modeshift_syntax::{Lexed, TokenKind, lex};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A class that can be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: Name,
    /// `A.B.C`
    pub full: String,
    pub kind: ClassKind,
    pub path: Arc<Path>,
    /// Its name in the file.
    pub span: Span,
}

/// All classes of the libraries and of the folders the user works in, by their names without regard to case.
#[derive(Clone, Debug, Default)]
pub struct ClassIndex {
    /// Lower-case names and entries, sorted.
    entries: Vec<(String, Entry)>,
}

/// Files that are looked into; more are not searched.
const MAX_FILES: usize = 20_000;

impl ClassIndex {
    /// Where classes are looked for.
    pub fn directories(settings: &Settings) -> Vec<PathBuf> {
        let builtin = PathBuf::from(modeshift_db::BUILTIN_ROOT);
        let builtin = settings.builtin_library.then_some(builtin);
        let dirs = settings.library_dirs.iter().chain(&settings.folders);
        builtin.into_iter().chain(dirs.cloned()).collect()
    }

    /// Reads every file of the directories once. O(size of the libraries).
    pub fn build(files: &Files, dirs: Vec<PathBuf>) -> Self {
        let mut waiting = dirs;
        let mut entries = Vec::new();
        let mut read = 0;
        while let Some(dir) = waiting.pop() {
            for entry in files.peek_directory(&dir).iter().flat_map(|it| it.iter()) {
                let path = dir.join(&entry.name);
                if entry.is_dir && !entry.name.starts_with('.') {
                    waiting.push(path);
                } else if !entry.is_dir && entry.name.ends_with(".mo") && read < MAX_FILES {
                    read += 1;
                    entries.extend(classes_of(files, &path));
                }
            }
        }
        let mut entries: Vec<(String, Entry)> = entries
            .into_iter()
            .map(|entry| (entry.name.as_str().to_lowercase(), entry))
            .collect();
        entries.sort_by(|a, b| (&a.0, &a.1.full).cmp(&(&b.0, &b.1.full)));
        // A library that is found in two places is offered once.
        entries.dedup_by(|a, b| a.1.full == b.1.full);
        Self { entries }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(|(_, entry)| entry)
    }

    /// At most `limit` classes whose names begin with `typed`, letter case aside, the shortest full names first.
    pub fn starting_with(&self, typed: &str, limit: usize) -> Vec<&Entry> {
        let typed = typed.to_lowercase();
        let from = self.entries.partition_point(|(name, _)| *name < typed);
        let matching = self.entries[from..]
            .iter()
            .take_while(|(name, _)| name.starts_with(&typed));
        let mut found: Vec<&Entry> = matching.map(|(_, entry)| entry).collect();
        found.sort_by_key(|entry| (entry.full.matches('.').count(), entry.full.len()));
        found.truncate(limit);
        found
    }
}

fn classes_of(files: &Files, path: &Path) -> Vec<Entry> {
    let contents = files.peek(path);
    let text = contents.text();
    let path: Arc<Path> = path.into();
    let found = headers(text, &lex(text)).into_iter();
    found
        .map(|(full, kind, span)| Entry {
            name: Name::new(&text[span.range()]),
            full,
            kind,
            path: path.clone(),
            span,
        })
        .collect()
}

/// The classes that a text declares: full names, kinds, and where the names stand. O(length).
fn headers(text: &str, lexed: &Lexed) -> Vec<(String, ClassKind, Span)> {
    let tokens = &lexed.tokens;
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.range()]);
    let mut found = Vec::new();
    // The full names of the classes around.
    let mut open: Vec<String> = Vec::new();
    let mut within = String::new();
    let mut brackets = 0_usize;
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].kind {
            TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket => brackets += 1,
            TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => {
                brackets = brackets.saturating_sub(1);
            }
            TokenKind::Semicolon => brackets = 0,
            TokenKind::Within if found.is_empty() => {
                let end = (at + 1..tokens.len()).find(|&it| kind(it) == Some(TokenKind::Semicolon));
                within = (at + 1..end.unwrap_or(at + 1)).map(word).collect();
            }
            TokenKind::End if kind(at + 1) == Some(TokenKind::Ident) => {
                let closed = open.iter().rposition(|it| {
                    it.rsplit_once('.').map_or(it.as_str(), |(_, last)| last) == word(at + 1)
                });
                open.truncate(closed.unwrap_or(open.len()));
                at += 1;
            }
            _ if brackets > 0 => {}
            token => {
                if let Some(class) = class_kind(token, at.checked_sub(1).and_then(kind)) {
                    let extends = kind(at + 1) == Some(TokenKind::Extends);
                    let name = at + 1 + usize::from(extends);
                    if kind(name) == Some(TokenKind::Ident) {
                        let around = open.last().unwrap_or(&within);
                        let full = match around.as_str() {
                            "" => word(name).to_owned(),
                            around => format!("{around}.{}", word(name)),
                        };
                        found.push((full.clone(), class, tokens[name].span));
                        if kind(name + 1) != Some(TokenKind::Equals) {
                            open.push(full);
                        }
                        at = name;
                    }
                }
            }
        }
        at += 1;
    }
    found
}

fn class_kind(token: TokenKind, before: Option<TokenKind>) -> Option<ClassKind> {
    Some(match (token, before) {
        (TokenKind::Function, Some(TokenKind::Operator)) => ClassKind::OperatorFunction,
        (TokenKind::Record, Some(TokenKind::Operator)) => ClassKind::OperatorRecord,
        (TokenKind::Connector, Some(TokenKind::Expandable)) => ClassKind::ExpandableConnector,
        (TokenKind::Model, _) => ClassKind::Model,
        (TokenKind::Block, _) => ClassKind::Block,
        (TokenKind::Class, _) => ClassKind::Class,
        (TokenKind::Connector, _) => ClassKind::Connector,
        (TokenKind::Function, _) => ClassKind::Function,
        (TokenKind::Package, _) => ClassKind::Package,
        (TokenKind::Record, _) => ClassKind::Record,
        (TokenKind::Type, _) => ClassKind::Type,
        (TokenKind::Operator, _) => ClassKind::Operator,
        _ => return None,
    })
}

/// How well a query fits a name: smaller is better, `None` not at all. Letters of the query must occur in order, the
/// first one where a word begins; runs and beginnings of words count for it. Letter case counts only between equals.
/// O(length).
pub(crate) fn fuzzy(query: &str, name: &str) -> Option<u32> {
    let lower = name.to_lowercase();
    let wanted = query.to_lowercase();
    if wanted.is_empty() {
        return Some(0);
    }
    let case = u32::from(!name.contains(query));
    if lower == wanted {
        return Some(case);
    }
    if lower.starts_with(&wanted) {
        return Some(10 + case);
    }
    if lower.contains(&wanted) {
        return Some(20 + case);
    }
    let mut rest = wanted.chars().peekable();
    let (mut skipped, mut boundary) = (0, true);
    let (mut began, mut any) = (0, false);
    for c in name.chars() {
        let starts = boundary || c.is_uppercase();
        boundary = !c.is_alphanumeric();
        match rest.peek() {
            Some(&next) if c.to_lowercase().eq([next]) && (starts || any) => {
                rest.next();
                began += u32::from(starts);
                any = true;
            }
            Some(_) => skipped += 1,
            None => break,
        }
    }
    let hits = wanted.chars().count() as u32;
    rest.peek()
        .is_none()
        .then(|| 30 + (4 * (hits - began.min(hits)) + skipped).min(1000))
}

#[cfg(test)]
mod tests {
    use super::{fuzzy, headers};
    use modeshift_syntax::lex;

    #[test]
    fn classes_are_found_by_their_words() {
        let text = "within Lib.Sub;\n\
            package P \"a package end X;\"\n\
              // model Not\n\
              partial model A annotation(x = \"model B\"); redeclare model C = D(redeclare model E = F); end A;\n\
              operator record R operator function '+' algorithm if true then end if; end '+'; end R;\n\
              type T = Real(unit = \"m\");\n\
              redeclare model extends G Real x; end G;\n\
              expandable connector K end K;\n\
              function f external; end f;\n\
            end P;\n\
            model Last end Last;";
        let found = headers(text, &lex(text));
        let names: Vec<&str> = found.iter().map(|(full, ..)| full.as_str()).collect();
        assert_eq!(
            names,
            [
                "Lib.Sub.P",
                "Lib.Sub.P.A",
                "Lib.Sub.P.A.C",
                "Lib.Sub.P.R",
                "Lib.Sub.P.R.'+'",
                "Lib.Sub.P.T",
                "Lib.Sub.P.G",
                "Lib.Sub.P.K",
                "Lib.Sub.P.f",
                "Lib.Sub.Last"
            ]
        );
    }

    #[test]
    fn better_matches_have_smaller_numbers() {
        let rank = |name: &str| fuzzy("conv", name);
        assert!(rank("conv") < rank("Conv"));
        assert!(rank("Conv") < rank("Converter"));
        assert!(rank("Converter") < rank("BuckConverter"));
        assert!(rank("BuckConverter") < rank("CoordinateNetVoltage"));
        assert_eq!(rank("Conductor"), None);
        assert_eq!(rank("Falcon Vent"), None);
        assert!(fuzzy("BC", "BuckConverter") < fuzzy("BC", "BasicClutch").map(|rank| rank + 10));
        assert_eq!(fuzzy("BC", "abacus"), None);
    }
}
