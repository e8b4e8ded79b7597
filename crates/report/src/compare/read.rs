//! Reading flat text.
//!
//! Flat text is Modelica but for a few things: variables and functions have dotted names with subscripts where they
//! are declared, an enumeration's or a function's type is written out in the declaration, `protected` stands before
//! single declarations, and array constructors may have subscripts. [`readable`] writes these so that the parser of
//! the compiler understands them.

use modeshift_base::Span;
use modeshift_syntax::ast::{ClassDef, ClassSpec, SectionKind};
use modeshift_syntax::{TokenKind as T, lex, parse};
use std::fmt;
use std::ops::Range;

/// A flat text as trees: functions, records, and the model as the last class.
#[derive(Clone, Debug)]
pub struct FlatText {
    pub(super) classes: Vec<ClassDef>,
    /// The text the trees point into.
    text: String,
}

/// The text is no flat Modelica.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub message: String,
    /// The line that cannot be read.
    pub line: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in `{}`", self.message, self.line.trim())
    }
}

impl FlatText {
    /// Reads what a compiler printed. Linear in the text.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let text = readable(text);
        let parsed = parse(&text);
        if let Some(error) = parsed.errors.first() {
            let at = error
                .labels
                .first()
                .map_or(0, |label| label.at.start as usize);
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            return Err(ReadError {
                message: error.message.clone(),
                line: text[start..].lines().next().unwrap_or_default().to_owned(),
            });
        }
        let is_long = |class: &ClassDef| matches!(class.spec, ClassSpec::Long(_));
        if !parsed.file.classes.last().is_some_and(is_long) {
            let line = text.lines().next().unwrap_or_default().to_owned();
            return Err(ReadError {
                message: "there is no model".to_owned(),
                line,
            });
        }
        Ok(Self {
            classes: parsed.file.classes,
            text,
        })
    }

    /// How many variables and equations the model declares; those of sections of both kinds, each
    /// `if`, `for` and `when` as one.
    pub fn counts(&self) -> (usize, usize) {
        let Some(ClassSpec::Long(body)) = self.classes.last().map(|class| &class.spec) else {
            return (0, 0);
        };
        let equations = body.sections.iter().map(|section| match &section.kind {
            SectionKind::Equations(equations) => equations.len(),
            SectionKind::Algorithm(_) => 0,
        });
        (super::scope::components(body).count(), equations.sum())
    }

    /// The text at `span`, on one line.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let text = self.text.get(span.range()).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        unquote_dollars(&words.join(" "))
    }
}

/// Takes back what [`quote_dollars`] does.
fn unquote_dollars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("'$") {
        out.push_str(before);
        out.push('$');
        let (name, behind) = behind.split_once('\'').unwrap_or((behind, ""));
        out.push_str(name);
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A dotted name as a declared identifier, and back.
pub(super) fn unquoted(name: &str) -> String {
    let inner = name
        .strip_prefix('\'')
        .and_then(|name| name.strip_suffix('\''));
    match inner {
        Some(inner) if inner.contains(['.', '[', '(', '$']) => inner.replace("\\'", "'"),
        _ => name.to_owned(),
    }
}

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\'', "\\'"))
}

/// The text with what only flat text has written as Modelica.
fn readable(text: &str) -> String {
    let text = quote_dollars(&quote_function_types(text));
    let words: Vec<(T, Range<usize>)> = lex(&text)
        .tokens
        .into_iter()
        .map(|token| (token.kind, token.span.range()))
        .collect();
    let closing = closing(&words);
    let mut rewriter = Rewriter {
        text: &text,
        words: &words,
        closing: &closing,
        at: 0,
        copied: 0,
        out: String::with_capacity(text.len()),
    };
    rewriter.file();
    rewriter.out
}

/// The types of functions as arguments, `f<function>(#Real x) => #Real`, as quoted identifiers.
fn quote_function_types(text: &str) -> String {
    if !text.contains("<function>(") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let parts = line.split_once("<function>(").and_then(|(before, rest)| {
            let start = before.rfind(' ')? + 1;
            let result = rest.find("=> ")? + 3;
            let end = result + rest[result..].find(' ')?;
            Some((
                &before[..start],
                &line[start..before.len() + "<function>(".len() + end],
            ))
        });
        match parts {
            Some((before, of_function)) => {
                out.push_str(before);
                out.push_str(&quoted(of_function));
                out.push_str(&line[before.len() + of_function.len()..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Names that only a compiler makes, such as `$i1`, as quoted identifiers; boxing as a call.
fn quote_dollars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    let mut delimiter = None;
    while let Some((start, c)) = chars.next() {
        match (delimiter, c) {
            (Some(_), '\\') => {
                out.push(c);
                out.extend(chars.next().map(|(_, escaped)| escaped));
                continue;
            }
            (Some(open), c) if c == open => delimiter = None,
            (None, '"' | '\'') => delimiter = Some(c),
            (None, '#') => {
                // The counterpart of `unbox(…)` is written `#(…)`.
                out.push_str("box");
                continue;
            }
            (None, '$') => {
                let mut end = start + 1;
                while let Some(&(at, _)) = chars
                    .peek()
                    .filter(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '$'))
                {
                    end = at + 1;
                    chars.next();
                }
                out.push_str(&quoted(&text[start..end]));
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

struct Rewriter<'t> {
    text: &'t str,
    words: &'t [(T, Range<usize>)],
    /// For every opening bracket, the word behind the one that closes it.
    closing: &'t [usize],
    /// The next word.
    at: usize,
    /// So much of the text is in `out`.
    copied: usize,
    out: String,
}

impl Rewriter<'_> {
    fn kind(&self, ahead: usize) -> Option<T> {
        self.words.get(self.at + ahead).map(|(kind, _)| *kind)
    }

    /// Copies everything before the next word.
    fn catch_up(&mut self) {
        let upto = self
            .words
            .get(self.at)
            .map_or(self.text.len(), |(_, range)| range.start);
        self.out.push_str(&self.text[self.copied..upto]);
        self.copied = upto;
    }

    /// Writes `text` in place of the words up to `end`.
    fn replace(&mut self, end: usize, text: &str) {
        self.catch_up();
        self.out.push_str(text);
        self.copied = self.words[end - 1].1.end;
        self.at = end;
    }

    fn file(&mut self) {
        while self.kind(0).is_some() {
            self.class();
        }
        self.catch_up();
    }

    /// From the header of a class to the `;` behind its `end`.
    fn class(&mut self) {
        while !matches!(self.kind(0), None | Some(T::Ident)) {
            self.at += 1;
        }
        self.name();
        if self.kind(0) == Some(T::String) {
            self.at += 1;
        }
        self.declarations();
        self.rest_of_class();
    }

    /// Declarations up to the first section. `protected` counts for one declaration.
    fn declarations(&mut self) {
        loop {
            match self.kind(0) {
                None
                | Some(
                    T::Equation | T::Algorithm | T::Initial | T::External | T::End | T::Annotation,
                ) => return,
                Some(T::Public) => self.at += 1,
                _ => {
                    let protected = self.kind(0) == Some(T::Protected);
                    self.declaration();
                    if protected {
                        self.catch_up();
                        self.out.push_str("public ");
                    }
                }
            }
        }
    }

    fn declaration(&mut self) {
        while !matches!(
            self.kind(0),
            None | Some(T::Ident | T::Enumeration | T::Semicolon)
        ) {
            self.at += 1;
        }
        if self.kind(0) == Some(T::Enumeration) {
            let end = self.behind_brackets(self.at + 1);
            let text = self.text[self.words[self.at].1.start..self.words[end - 1].1.end].to_owned();
            self.replace(end, &quoted(&text));
        } else {
            self.at = self.end_of_path();
        }
        if self.kind(0) == Some(T::LBracket) {
            self.at = self.behind_brackets(self.at);
        }
        if self.kind(0) == Some(T::Ident) {
            self.name();
        }
        while !matches!(self.kind(0), None | Some(T::Semicolon)) {
            self.at += 1;
        }
        self.at = self.words.len().min(self.at + 1);
    }

    /// A declared name: one identifier, whatever it is made of.
    fn name(&mut self) {
        let end = self.end_of_name();
        if end > self.at + 1 {
            let range = self.words[self.at].1.start..self.words[end - 1].1.end;
            let name: String = self.text[range].split_whitespace().collect();
            self.replace(end, &quoted(&name));
        } else {
            self.at = end;
        }
    }

    fn rest_of_class(&mut self) {
        // Behind `end` of a class stands its name; behind the others a word of the language. An array
        // constructor with subscripts needs parentheses.
        let mut indexed = Vec::new();
        while self.at < self.words.len() {
            if self.kind(0) == Some(T::LBrace) {
                let end = self.behind_brackets(self.at);
                if self
                    .words
                    .get(end)
                    .is_some_and(|(kind, _)| *kind == T::LBracket)
                {
                    self.catch_up();
                    self.out.push('(');
                    indexed.push(end);
                }
            }
            if indexed.last() == Some(&self.at) {
                indexed.pop();
                self.catch_up();
                self.out.push(')');
            }
            self.at += 1;
            if self.words[self.at - 1].0 == T::End && self.kind(0) == Some(T::Ident) {
                self.name();
                self.at = self.words.len().min(self.at + 1);
                return;
            }
        }
    }

    fn end_of_path(&self) -> usize {
        let mut end = self.at + 1;
        while matches!(
            self.words.get(end..end + 2),
            Some([(T::Dot, _), (T::Ident, _)])
        ) {
            end += 2;
        }
        end.min(self.words.len())
    }

    /// `a[1].b`, `a.'+'`
    fn end_of_name(&self) -> usize {
        let mut end = self.at + 1;
        loop {
            match self.words.get(end).map(|(kind, _)| *kind) {
                Some(T::LBracket) => end = self.behind_brackets(end),
                Some(T::Dot) => end += 2,
                _ => return end.min(self.words.len()),
            }
        }
    }

    /// Behind the bracket that closes the one at `open`.
    fn behind_brackets(&self, open: usize) -> usize {
        self.closing.get(open).copied().unwrap_or(self.words.len())
    }
}

fn closing(words: &[(T, Range<usize>)]) -> Vec<usize> {
    let mut closing = vec![words.len(); words.len()];
    let mut open = Vec::new();
    for (i, (kind, _)) in words.iter().enumerate() {
        match kind {
            T::LParen | T::LBracket | T::LBrace => open.push(i),
            T::RParen | T::RBracket | T::RBrace => {
                if let Some(start) = open.pop() {
                    closing[start] = i + 1;
                }
            }
            _ => {}
        }
    }
    closing
}
