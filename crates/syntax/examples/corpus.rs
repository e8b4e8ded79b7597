//! Reads every `.mo` file below the given folders on one thread and says how long lexing, parsing and
//! formatting took. Formatting is held to its laws: same tree, nothing to do the second time.
//!
//! `cargo run --release -p modeshift-syntax --example corpus -- [--format] FOLDER...`

#![expect(
    clippy::disallowed_methods,
    reason = "a developer's tool that reads files"
)]

use modeshift_syntax::ast::MapSpans;
use modeshift_syntax::{decode, format, lex, parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

// What the command uses, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Default)]
struct Totals {
    bytes: usize,
    tokens: usize,
    messages: usize,
    broken_laws: usize,
    lexing: Duration,
    parsing: Duration,
    formatting: Duration,
}

fn main() -> std::io::Result<()> {
    let (options, roots): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|arg| arg == "--format");
    let mut files = Vec::new();
    for root in &roots {
        collect(Path::new(root), &mut files)?;
    }
    files.sort();
    let mut totals = Totals::default();
    for path in &files {
        read(path, !options.is_empty(), &mut totals)?;
    }
    let Totals {
        bytes,
        tokens,
        messages,
        broken_laws,
        lexing,
        parsing,
        formatting,
    } = totals;
    println!(
        "{} files, {bytes} bytes, {tokens} tokens, {messages} messages",
        files.len()
    );
    println!(
        "lexing {lexing:.1?}, parsing {parsing:.1?} ({:.1} times)",
        parsing.as_secs_f64() / lexing.as_secs_f64()
    );
    if !options.is_empty() {
        println!("formatting {formatting:.1?}, {broken_laws} laws broken");
    }
    Ok(())
}

fn read(path: &Path, formats: bool, totals: &mut Totals) -> std::io::Result<()> {
    let (text, _) = decode(std::fs::read(path)?);
    totals.bytes += text.len();
    let start = Instant::now();
    totals.tokens += lex(&text).tokens.len();
    totals.lexing += start.elapsed();
    let start = Instant::now();
    let mut parsed = parse(&text);
    totals.parsing += start.elapsed();
    totals.messages += parsed.errors.len();
    for error in parsed.errors.iter().take(3) {
        let at = error
            .labels
            .first()
            .map_or(0, |label| label.at.start as usize);
        let line = text[..at.min(text.len())].matches('\n').count() + 1;
        println!(
            "{}:{line}: {} {}",
            path.display(),
            error.code.as_str(),
            error.message
        );
    }
    if !formats || parsed.errors.iter().any(|error| error.is_error()) {
        return Ok(());
    }
    let start = Instant::now();
    let formatted = format(&text);
    totals.formatting += start.elapsed();
    let law = match &formatted {
        Err(error) => Some(error.to_string()),
        Ok(once) => {
            let mut again = parse(once);
            again.file.erase_spans();
            parsed.file.erase_spans();
            let same = again.file == parsed.file;
            let idempotent = format(once).as_ref() == Ok(once);
            (!(same && idempotent)).then(|| format!("same tree: {same}, idempotent: {idempotent}"))
        }
    };
    if let Some(law) = law {
        totals.broken_laws += 1;
        println!("{}: {law}", path.display());
    }
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "mo") {
        files.push(path.to_owned());
    }
    Ok(())
}
