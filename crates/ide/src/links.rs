//! Addresses in texts: `modelica://Library/Resources/Images/x.png`, `modelica://Library.Class`, and those of the web.

use modeshift_base::{FileSpan, Name, Span};
use modeshift_db::{Db, SourceFile, words};
use modeshift_hir::{ClassSpan, class, class_by_path, resolve};
use modeshift_syntax::TokenKind;
use std::path::PathBuf;

/// Where an address leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    Web(String),
    File(PathBuf),
    /// A class, by its name in a file.
    Class(FileSpan),
}

/// The addresses in the strings of a file, with where they lead; those that lead nowhere are left out. O(length).
pub fn links(db: &dyn Db, file: SourceFile) -> Vec<(Span, Destination)> {
    let text = file.text(db);
    let strings = words(db, file).tokens.iter();
    let strings = strings.filter(|token| token.kind == TokenKind::String);
    strings
        .flat_map(|token| addresses(&text[token.span.range()], token.span.start))
        .filter_map(|(span, address)| Some((span, destination(db, address)?)))
        .collect()
}

const SCHEMES: [&str; 3] = ["modelica://", "https://", "http://"];

fn addresses(text: &str, start: u32) -> Vec<(Span, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((begin, _)) = SCHEMES
        .iter()
        .filter_map(|scheme| text[at..].match_indices(scheme).next())
        .min_by_key(|(begin, _)| *begin)
    {
        let begin = at + begin;
        let rest = &text[begin..];
        let end = rest.find(|c: char| c.is_whitespace() || "\"\\<>()'".contains(c));
        let address = rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', ',', ';', ':']);
        at = begin + address.len();
        let from = start + begin as u32;
        found.push((Span::new(from, from + address.len() as u32), address));
    }
    found
}

fn destination(db: &dyn Db, address: &str) -> Option<Destination> {
    let Some(inside) = address.strip_prefix("modelica://") else {
        return Some(Destination::Web(address.to_owned()));
    };
    let inside = inside.split('#').next().unwrap_or_default();
    let (package, path) = match inside.split_once('/') {
        Some((package, path)) => (package, Some(path)),
        None => (inside, None),
    };
    let names: Vec<Name> = package.split('.').map(Name::new).collect();
    let id = class_by_path(db, &names)?;
    match path.filter(|path| !path.is_empty()) {
        None => Some(Destination::Class(resolve(
            db,
            ClassSpan::new(id, class(db, id).name.span),
        ))),
        // An address must not lead out of the library.
        Some(path) if path.split('/').any(|part| part == "..") => None,
        Some(path) => Some(Destination::File(id.file(db).path(db).parent()?.join(path))),
    }
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[test]
    fn addresses_end_where_text_goes_on() {
        let text =
            r#"<a href=\"modelica://A.B/c.png\">x</a> see https://example.org/a. And http://b"#;
        let found: Vec<&str> = addresses(text, 0).into_iter().map(|it| it.1).collect();
        assert_eq!(
            found,
            ["modelica://A.B/c.png", "https://example.org/a", "http://b"]
        );
    }
}
