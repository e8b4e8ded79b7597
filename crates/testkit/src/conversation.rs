//! Conversations with a language server in one file: sources, then questions; the answers are a snapshot.
//!
//! ```text
//! //- /Lib.mo
//! model A Real $0x; end A;
//! //- /User.mo closed
//! model B A a; end B;
//! //? hover $0
//! //? references $0
//! //? edit $0 y
//! //? diagnostics
//! ```
//!
//! The sources are written to a directory, which is the only workspace folder; those not marked `closed` are opened.
//! `$0` to `$9` mark places and are taken out. Questions are asked in order; `edit` inserts text, `delete $0 $1`
//! takes out what is between two places. In answers, lines and columns count from 1, and files are named
//! as in the fixture. [`QUESTIONS`] lists what can be asked.

use crate::client::Client;
use crate::fixture::Fixture;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The questions: their names, and the methods of the protocol with what their parameters are.
pub const QUESTIONS: &[(&str, &str, Shape)] = &[
    ("hover", "textDocument/hover", Shape::At),
    ("definition", "textDocument/definition", Shape::At),
    ("type", "textDocument/typeDefinition", Shape::At),
    ("implementation", "textDocument/implementation", Shape::At),
    ("references", "textDocument/references", Shape::References),
    ("highlight", "textDocument/documentHighlight", Shape::At),
    ("prepare-rename", "textDocument/prepareRename", Shape::At),
    ("rename", "textDocument/rename", Shape::Rename),
    ("completion", "textDocument/completion", Shape::At),
    ("signature", "textDocument/signatureHelp", Shape::At),
    ("selection", "textDocument/selectionRange", Shape::Positions),
    ("symbols", "textDocument/documentSymbol", Shape::Document),
    ("search", "workspace/symbol", Shape::Query),
    (
        "tokens",
        "textDocument/semanticTokens/full",
        Shape::Document,
    ),
    ("folding", "textDocument/foldingRange", Shape::Document),
    ("format", "textDocument/formatting", Shape::Document),
    ("format-range", "textDocument/rangeFormatting", Shape::Range),
    (
        "format-typed",
        "textDocument/onTypeFormatting",
        Shape::Typed,
    ),
    ("actions", "textDocument/codeAction", Shape::Actions),
    ("hints", "textDocument/inlayHint", Shape::WholeRange),
    ("lenses", "textDocument/codeLens", Shape::Document),
    ("command", "workspace/executeCommand", Shape::Command),
    ("content", "workspace/textDocumentContent", Shape::Uri),
    ("links", "textDocument/documentLink", Shape::Document),
    ("pull", "textDocument/diagnostic", Shape::Document),
    ("type-item", "textDocument/prepareTypeHierarchy", Shape::At),
    ("supertypes", "typeHierarchy/supertypes", Shape::Types),
    ("subtypes", "typeHierarchy/subtypes", Shape::Types),
    ("call-item", "textDocument/prepareCallHierarchy", Shape::At),
    ("callers", "callHierarchy/incomingCalls", Shape::Calls),
    ("callees", "callHierarchy/outgoingCalls", Shape::Calls),
    ("fix-all", "textDocument/codeAction", Shape::FixAll),
    (
        "tokens-again",
        "textDocument/semanticTokens/full/delta",
        Shape::Known,
    ),
];

/// What the client says that it can do.
fn capabilities() -> Value {
    json!({
        "textDocument": {"completion": {"completionItem": {"snippetSupport": true}}},
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}},
    })
}

/// What the parameters of a question look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    At,
    References,
    Rename,
    Positions,
    Document,
    Query,
    Range,
    WholeRange,
    Typed,
    Actions,
    Command,
    Uri,
    /// An item that another question was answered with.
    Types,
    Calls,
    FixAll,
    /// The first state of the words that was told.
    Known,
}

/// A place of the sources.
#[derive(Clone, Copy, Debug)]
struct Mark {
    file: usize,
    offset: usize,
}

/// A fixture that is being talked about.
struct Talk<'a> {
    client: &'a mut Client,
    capabilities: Value,
    /// The URI of the folder.
    root: String,
    names: Vec<String>,
    texts: Vec<String>,
    versions: Vec<i32>,
    open: Vec<bool>,
    marks: BTreeMap<char, Mark>,
}

/// Holds the conversation that a fixture describes, in `dir`, and gives what is to be compared.
///
/// # Panics
/// When the fixture is malformed or the server does not answer.
pub fn converse(client: &mut Client, dir: &Path, fixture: &str) -> String {
    let (sources, questions) = split(fixture);
    let mut marks = BTreeMap::new();
    let (mut names, mut texts, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for (file, (name, text)) in Fixture::parse(&sources).files.into_iter().enumerate() {
        let (name, closed) = match name.strip_suffix(" closed") {
            Some(name) => (name.trim().to_owned(), true),
            None => (name, false),
        };
        let text = take_marks(&text, file, &mut marks);
        let path = dir.join(name.trim_start_matches('/'));
        std::fs::create_dir_all(path.parent().expect("a file is in a directory"))
            .and_then(|()| std::fs::write(&path, &text))
            .expect("the sources can be written");
        names.push(name);
        texts.push(text);
        open.push(!closed);
    }
    let root = format!("file://{}", dir.display());
    let capabilities = client.initialize(capabilities(), &[&root], json!({}));
    let versions = vec![1; names.len()];
    let mut talk = Talk {
        client,
        capabilities,
        root,
        names,
        texts,
        versions,
        open,
        marks,
    };
    for file in 0..talk.names.len() {
        if talk.open[file] {
            let uri = talk.uri(file);
            talk.client.open(&uri, 1, &talk.texts[file]);
            talk.client.quiet(&uri, 1);
        }
    }
    let mut told = String::new();
    for question in questions {
        let answer = talk.answer(&question);
        let _ = writeln!(told, "# {question}\n{}\n", answer.trim_end());
    }
    told
}

/// The sources, and the questions behind them.
fn split(fixture: &str) -> (String, Vec<String>) {
    let (mut sources, mut questions) = (String::new(), Vec::new());
    for line in fixture.split_inclusive('\n') {
        match line.strip_prefix("//? ") {
            Some(question) => questions.push(question.trim().to_owned()),
            None => sources.push_str(line),
        }
    }
    (sources, questions)
}

fn take_marks(text: &str, file: usize, marks: &mut BTreeMap<char, Mark>) -> String {
    let mut kept = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match rest.peek().filter(|_| c == '$').copied() {
            Some(digit) if digit.is_ascii_digit() => {
                let offset = kept.len();
                marks.insert(digit, Mark { file, offset });
                rest.next();
            }
            _ => kept.push(c),
        }
    }
    kept
}

impl Talk<'_> {
    fn uri(&self, file: usize) -> String {
        format!("{}{}", self.root, self.names[file])
    }

    fn mark(&self, word: &str) -> Mark {
        let name = word.strip_prefix('$').and_then(|it| it.chars().next());
        let mark = name.and_then(|name| self.marks.get(&name));
        *mark.unwrap_or_else(|| panic!("there is no place `{word}`"))
    }

    /// Columns in UTF-16, which is what the protocol counts unless something else is agreed on.
    fn position(&self, mark: Mark) -> Value {
        let before = &self.texts[mark.file][..mark.offset];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default();
        json!({"line": line, "character": column.encode_utf16().count()})
    }

    /// The file a question is about: one that is named, that of a place, or else the last.
    fn file(&self, word: &str) -> usize {
        let named = self.names.iter().position(|name| name == word);
        named.unwrap_or_else(|| match word.starts_with('$') {
            true => self.mark(word).file,
            false => self.names.len() - 1,
        })
    }

    fn answer(&mut self, question: &str) -> String {
        let mut words = question.split(' ');
        let name = words.next().unwrap_or_default();
        let first = words.next().unwrap_or_default();
        let rest = words.collect::<Vec<_>>().join(" ");
        match name {
            "diagnostics" => return self.diagnostics(),
            "edit" => return self.edit(first, first, &rest.replace("\\n", "\n")),
            "delete" => return self.edit(first, &rest, ""),
            _ => {}
        }
        let known = QUESTIONS.iter().find(|it| it.0 == name);
        let &(_, method, shape) = known.unwrap_or_else(|| panic!("there is no question `{name}`"));
        let params = match shape {
            Shape::Types => self.prepared("textDocument/prepareTypeHierarchy", first),
            Shape::Calls => self.prepared("textDocument/prepareCallHierarchy", first),
            _ => self.params(shape, first, &rest),
        };
        match self.client.ask(method, params) {
            Ok(answer) => self.show(name, first, &answer),
            Err(error) => format!("error {}: {}", error["code"], self.plain(&error["message"])),
        }
    }

    /// The item that stands at a place, as the next question sends it back.
    fn prepared(&mut self, method: &str, first: &str) -> Value {
        let params = self.params(Shape::At, first, "");
        let items = self.client.ask(method, params);
        json!({ "item": items.map_or(Value::Null, |items| items[0].clone()) })
    }

    fn params(&self, shape: Shape, first: &str, rest: &str) -> Value {
        let document = |file: usize| json!({"uri": self.uri(file)});
        let at = || {
            let mark = self.mark(first);
            json!({"textDocument": document(mark.file), "position": self.position(mark)})
        };
        let with = |mut value: Value, key: &str, more: Value| {
            value[key] = more;
            value
        };
        let options = json!({"tabSize": 2, "insertSpaces": true});
        match shape {
            Shape::At => at(),
            Shape::References => with(at(), "context", json!({"includeDeclaration": true})),
            Shape::Rename => with(at(), "newName", json!(rest)),
            Shape::Typed => {
                let typed = with(at(), "ch", json!(rest.replace("\\n", "\n")));
                with(typed, "options", options)
            }
            Shape::Positions => {
                let mark = self.mark(first);
                let positions = [self.position(mark)];
                json!({"textDocument": document(mark.file), "positions": positions})
            }
            Shape::Document => {
                json!({"textDocument": document(self.file(first)), "options": options})
            }
            Shape::Query => json!({ "query": first }),
            Shape::Range | Shape::Actions => {
                let (start, end) = (self.mark(first), self.mark(rest));
                let range = json!({"start": self.position(start), "end": self.position(end)});
                json!({
                    "textDocument": document(start.file),
                    "range": range,
                    "options": options,
                    "context": {"diagnostics": []},
                })
            }
            Shape::WholeRange => {
                let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 100_000, "character": 0}});
                json!({"textDocument": document(self.file(first)), "range": range})
            }
            Shape::Command => {
                let file = self.uri(self.names.len() - 1);
                let argument = match rest {
                    "" => json!({ "uri": file }),
                    class => json!({"uri": file, "class": class}),
                };
                json!({"command": first, "arguments": [argument]})
            }
            Shape::Uri => json!({ "uri": first }),
            Shape::Types | Shape::Calls => Value::Null,
            Shape::FixAll => {
                let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
                json!({
                    "textDocument": document(self.file(first)),
                    "range": range,
                    "context": {"diagnostics": [], "only": ["source.fixAll"]},
                })
            }
            Shape::Known => {
                json!({"textDocument": document(self.file(first)), "previousResultId": "0"})
            }
        }
    }

    /// Inserts or takes out text; places behind it move along.
    fn edit(&mut self, from: &str, to: &str, text: &str) -> String {
        let (start, end) = (self.mark(from), self.mark(to));
        let file = start.file;
        let range = json!({"start": self.position(start), "end": self.position(end)});
        self.versions[file] += 1;
        let (uri, version) = (self.uri(file), self.versions[file]);
        self.client.change(&uri, version, range, text);
        self.client.quiet(&uri, version);
        self.texts[file].replace_range(start.offset..end.offset, text);
        let gone = end.offset - start.offset;
        for mark in self.marks.values_mut().filter(|mark| mark.file == file) {
            if mark.offset >= end.offset && (mark.offset > start.offset || gone > 0) {
                mark.offset = mark.offset - gone + text.len();
            }
        }
        String::new()
    }

    fn diagnostics(&self) -> String {
        let mut told = String::new();
        for (uri, list) in &self.client.diagnostics {
            for it in list {
                let severity = match it["severity"].as_i64() {
                    Some(1) => "error",
                    Some(2) => "warning",
                    _ => "note",
                };
                let message = self.plain(&it["message"]).replace('\n', "\n    ");
                let _ = writeln!(
                    told,
                    "{}:{} {severity} {}: {message}",
                    self.name_of(uri),
                    range(&it["range"]),
                    self.plain(&it["code"]),
                );
                for related in it["relatedInformation"].as_array().into_iter().flatten() {
                    let _ = writeln!(told, "  {}", self.line(related));
                }
            }
        }
        if told.is_empty() {
            "none".to_owned()
        } else {
            told
        }
    }

    fn name_of<'u>(&self, uri: &'u str) -> &'u str {
        uri.strip_prefix(&self.root).unwrap_or(uri)
    }

    fn plain(&self, value: &Value) -> String {
        match value {
            Value::String(text) => text.replace(&self.root, ""),
            other => other.to_string(),
        }
    }

    fn show(&self, name: &str, first: &str, answer: &Value) -> String {
        match (name, answer) {
            (_, Value::Null) => "nothing".to_owned(),
            ("tokens", _) => self.tokens(self.file(first), answer),
            ("completion", _) => {
                let items = answer["items"].as_array();
                self.completions(items.map_or(&[], Vec::as_slice))
            }
            ("command", Value::String(text)) if text.starts_with("<!doctype") => page(text),
            ("command" | "content", Value::String(text)) => text.clone(),
            (_, Value::Array(items)) if items.is_empty() => "nothing".to_owned(),
            _ => {
                let mut told = String::new();
                self.tree(answer, 0, &mut told);
                told
            }
        }
    }

    /// Labels and details, without the words that are proposed everywhere.
    fn completions(&self, items: &[Value]) -> String {
        let mut told = String::new();
        let everywhere = |item: &Value| {
            let (label, detail) = (item["label"].as_str(), item["detail"].as_str());
            let own = detail.is_some_and(|it| it.starts_with(&format!("{}(", label.unwrap_or(""))));
            let keyword = item["kind"] == 14 || item["kind"] == 15;
            keyword || detail == Some("library") || own
        };
        for item in items.iter().filter(|item| !everywhere(item)) {
            let detail = item["detail"].as_str().unwrap_or_default();
            let label = item["label"].as_str().unwrap_or_default();
            let text = item["textEdit"]["newText"].as_str().unwrap_or_default();
            let text = match text == label {
                true => String::new(),
                false => format!(" inserts {text:?}"),
            };
            let import = match &item["additionalTextEdits"][0] {
                Value::Null => String::new(),
                edit => format!(" and at {}", self.line(edit)),
            };
            let line = format!("{label} {detail}{text}{import}");
            let _ = writeln!(told, "{}", line.trim_end());
        }
        if told.is_empty() {
            "nothing special".to_owned()
        } else {
            told
        }
    }

    /// Every word with what it is.
    fn tokens(&self, file: usize, answer: &Value) -> String {
        let legend = &self.capabilities["semanticTokensProvider"]["legend"];
        let data: Vec<usize> = answer["data"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| it.as_u64().map(|it| it as usize))
            .collect();
        let lines: Vec<Vec<u16>> = self.texts[file]
            .lines()
            .map(|line| line.encode_utf16().collect())
            .collect();
        let (mut line, mut column) = (0, 0);
        let mut told = String::new();
        for token in data.chunks_exact(5) {
            column = token[1] + if token[0] == 0 { column } else { 0 };
            line += token[0];
            let text = lines[line]
                .get(column..column + token[2])
                .unwrap_or_default();
            let kind = self.plain(&legend["tokenTypes"][token[3]]);
            let _ = write!(told, "{} {kind}", String::from_utf16_lossy(text));
            for bit in (0..8).filter(|bit| token[4] & (1 << bit) != 0) {
                let _ = write!(told, " {}", self.plain(&legend["tokenModifiers"][bit]));
            }
            told.push('\n');
        }
        told
    }

    /// A place, an edit or a short value on one line.
    fn line(&self, value: &Value) -> String {
        match value {
            Value::Object(fields) if fields.contains_key("newText") => {
                format!("{} becomes {}", range(&fields["range"]), fields["newText"])
            }
            Value::Object(fields) if is_range(value) && fields.len() == 2 => range(value),
            Value::Object(fields) => {
                let parts = fields.iter().map(|(key, value)| match key.as_str() {
                    "uri" | "targetUri" | "target" | "oldUri" | "newUri" => {
                        self.name_of(value.as_str().unwrap_or("")).to_owned()
                    }
                    _ => format!("{} {}", self.name_of(key), self.line(value)),
                });
                parts.collect::<Vec<_>>().join(", ")
            }
            Value::Array(items) => {
                let items = items.iter().map(|item| self.line(item));
                items.collect::<Vec<_>>().join(", ")
            }
            other => self.plain(other),
        }
    }

    fn tree(&self, value: &Value, depth: usize, told: &mut String) {
        let indent = "  ".repeat(depth);
        let short = |value: &Value| {
            let line = self.line(value);
            (line.len() < 100 && !line.contains('\n')).then_some(line)
        };
        match value {
            Value::Array(items) => {
                for item in items {
                    self.tree(item, depth, told);
                }
            }
            _ if short(value).is_some()
                && !value["changes"].is_object()
                && !value["documentChanges"].is_array() =>
            {
                let _ = writeln!(told, "{indent}{}", short(value).unwrap_or_default());
            }
            Value::Object(fields) => {
                let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
                // Maps by document come in any order.
                if fields.iter().any(|(key, _)| key.contains("://")) {
                    fields.sort_by_key(|(key, _)| *key);
                }
                for (key, value) in fields {
                    match short(value) {
                        Some(line) => {
                            let _ = writeln!(told, "{indent}{}: {line}", self.name_of(key));
                        }
                        None => {
                            let _ = writeln!(told, "{indent}{}:", self.name_of(key));
                            self.tree(value, depth + 1, told);
                        }
                    }
                }
            }
            other => {
                for line in self.plain(other).lines() {
                    let _ = writeln!(told, "{}", format!("{indent}{line}").trim_end());
                }
            }
        }
    }
}

/// A page is told by its title: all of it would bury what is asked beside it.
fn page(text: &str) -> String {
    let title = text.split("<title>").nth(1);
    let title = title.and_then(|rest| rest.split("</title>").next());
    format!("the page `{}`", title.unwrap_or_default())
}

fn is_range(value: &Value) -> bool {
    value["start"]["line"].is_u64() && value["end"]["line"].is_u64()
}

/// `3:5-3:9`, or with one number twice only once.
fn range(value: &Value) -> String {
    let place = |it: &Value| {
        let count = |key: &str| it[key].as_u64().map_or(0, |it| it + 1);
        format!("{}:{}", count("line"), count("character"))
    };
    format!("{}-{}", place(&value["start"]), place(&value["end"]))
}

#[cfg(test)]
mod tests {
    use super::{split, take_marks};
    use std::collections::BTreeMap;

    #[test]
    fn questions_and_places_are_taken_out() {
        let (sources, questions) = split("a $0b\n//? hover $0\nc$1\n//? diagnostics\n");
        assert_eq!(sources, "a $0b\nc$1\n");
        assert_eq!(questions, ["hover $0", "diagnostics"]);
        let mut marks = BTreeMap::new();
        assert_eq!(take_marks(&sources, 0, &mut marks), "a b\nc\n");
        assert_eq!((marks[&'0'].offset, marks[&'1'].offset), (2, 5));
    }
}
