//! Parses every `.mo` file below the given folders on one thread and says how long lexing and
//! parsing took: `cargo run --release -p modeshift-syntax --example corpus -- FOLDER...`

#![expect(
    clippy::disallowed_methods,
    reason = "a tool that reads the files it is given"
)]

use modeshift_syntax::{lex, parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    for root in std::env::args_os().skip(1) {
        collect(Path::new(&root), &mut files)?;
    }
    files.sort();
    let (mut bytes, mut tokens, mut messages) = (0, 0, 0);
    let (mut lexing, mut parsing) = (Duration::ZERO, Duration::ZERO);
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
        bytes += text.len();
        let start = Instant::now();
        tokens += lex(&text).tokens.len();
        lexing += start.elapsed();
        let start = Instant::now();
        let parsed = parse(&text);
        parsing += start.elapsed();
        messages += parsed.errors.len();
        for error in parsed.errors.iter().take(3) {
            let at = error
                .labels
                .first()
                .map_or(0, |label| label.at.start as usize);
            let line = text.as_bytes()[..at.min(text.len())]
                .iter()
                .filter(|b| **b == b'\n')
                .count()
                + 1;
            println!(
                "{}:{line}: {} {}",
                path.display(),
                error.code.as_str(),
                error.message
            );
        }
    }
    println!(
        "{} files, {bytes} bytes, {tokens} tokens, {messages} messages; lexing {lexing:.1?}, parsing {parsing:.1?} ({:.1} times)",
        files.len(),
        parsing.as_secs_f64() / lexing.as_secs_f64()
    );
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
