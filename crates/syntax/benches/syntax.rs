//! Lexer, parser, printer and formatter on a text made of every construct: `cargo bench -p modeshift-syntax`.

use divan::{Bencher, counter::BytesCount};
use modeshift_syntax::{format, lex, parse};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// About half a megabyte.
fn text() -> String {
    let models = [
        include_str!("../../../test-models/parse/ok/Elements.mo"),
        include_str!("../../../test-models/parse/ok/Equations.mo"),
        include_str!("../../../test-models/parse/ok/Expressions.mo"),
        include_str!("../../../test-models/parse/ok/External.mo"),
    ];
    models.concat().repeat(80)
}

#[divan::bench]
fn lexing(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| lex(&text));
}

#[divan::bench]
fn parsing(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parse(&text));
}

#[divan::bench]
fn printing(bencher: Bencher<'_, '_>) {
    let text = text();
    let file = parse(&text).file;
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| file.to_string());
}

#[divan::bench]
fn formatting(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| format(&text));
}
