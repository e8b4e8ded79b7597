//! Laws that hold for every text: on the corpus, on generated trees, on noise, and on hostile sizes.
//!
//! The bodies in `fuzzing` are the same that the fuzz targets in `tools/fuzz` run for longer.

#![expect(clippy::disallowed_methods, reason = "the test reads its models")]

#[path = "laws/fuzzing.rs"]
mod fuzzing;
#[path = "laws/generate.rs"]
mod generate;

use modeshift_syntax::ast::MapSpans;
use modeshift_syntax::{decode, format, parse};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "mo") {
            files.push(path);
        }
    }
}

fn corpus(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(folder),
        &mut files,
    );
    files.sort();
    files
        .into_iter()
        .filter_map(|path| std::fs::read(&path).ok().map(|bytes| (path, bytes)))
        .collect()
}

#[test]
fn messages_are_one_line_even_around_comments() {
    fuzzing::parser(b"model A\n  Real x;\nend //c\n type model B end B;");
}

#[test]
fn every_construct_reads_without_a_message_prints_and_formats() {
    let models = corpus("test-models/parse/ok");
    assert!(models.len() >= 6);
    for (path, bytes) in models {
        let (text, _) = decode(bytes);
        let parsed = parse(&text);
        assert_eq!(parsed.errors, [], "{}", path.display());
        fuzzing::formatter(&text);
        let mut printed = parse(&parsed.file.to_string());
        assert_eq!(printed.errors, [], "{}", path.display());
        let mut file = parsed.file;
        file.erase_spans();
        printed.file.erase_spans();
        assert_eq!(file, printed.file, "{}", path.display());
    }
}

#[test]
fn no_model_of_the_repository_and_no_piece_of_one_breaks_a_law() {
    for (_, bytes) in corpus("test-models")
        .into_iter()
        .chain(corpus("tools/fuzz/seeds"))
    {
        fuzzing::lexer(&bytes);
        fuzzing::parser(&bytes);
        let (text, _) = decode(bytes);
        fuzzing::formatter(&text);
        // Every file is also read as if typing had stopped at some place.
        for at in (0..text.len())
            .step_by(37)
            .filter(|at| text.is_char_boundary(*at))
            .take(40)
        {
            fuzzing::parser(&text.as_bytes()[..at]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back_as_the_same_tree(class in generate::class()) {
        let text = format!("{class};");
        let mut read = parse(&text);
        prop_assert_eq!(&read.errors, &[], "{}", text);
        read.file.erase_spans();
        prop_assert_eq!(&read.file.classes[0], &class, "{}", text);
        fuzzing::formatter(&text);
    }

    #[test]
    fn words_in_any_order_break_nothing(words in prop::collection::vec(prop::sample::select(generate::WORDS), 0..80)) {
        let text = words.join(" ");
        fuzzing::parser(text.as_bytes());
        fuzzing::formatter(&text);
    }

    #[test]
    fn bytes_in_any_order_break_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        fuzzing::lexer(&bytes);
        fuzzing::parser(&bytes);
    }
}

/// Texts that grow in one direction until the limits are hit: a message or a tree, in time that grows no
/// faster than the text, and without exhausting the stack of a test thread.
#[test]
fn hostile_sizes_give_a_message_or_a_tree() {
    // Optimised builds are twenty times faster.
    let n = if cfg!(debug_assertions) {
        10_000
    } else {
        100_000
    };
    let in_equation = |text: String| format!("model M Real x; equation x = {text}; end M;");
    let texts = [
        in_equation("(".repeat(n) + "1" + &")".repeat(n)),
        in_equation("(".repeat(n)),
        in_equation(")".repeat(n)),
        in_equation("{".repeat(n) + "1" + &"}".repeat(n)),
        in_equation("[".repeat(n) + "1" + &"]".repeat(n)),
        in_equation("[(".repeat(n) + &"])".repeat(n)),
        in_equation("-".repeat(n) + "1"),
        in_equation("not ".repeat(n) + "a"),
        in_equation("if a then ".repeat(n) + "1" + &" else 2".repeat(n)),
        in_equation("if a then 1 else ".repeat(n) + "1"),
        in_equation("f(".repeat(n) + &")".repeat(n)),
        in_equation("f(x)".to_owned() + &".y".repeat(n)),
        in_equation("(x)".to_owned() + &"[1]".repeat(n)),
        in_equation("a[".repeat(n) + "1" + &"]".repeat(n)),
        in_equation("a".to_owned() + &" + a".repeat(n)),
        in_equation("a".to_owned() + &".b".repeat(n)),
        in_equation("\"a\"".to_owned() + &" + \"b\"".repeat(n)),
        format!("model M Real x \"a\"{}; end M;", " + \"b\"".repeat(n)),
        format!("model M Real x{}1{}; end M;", "(a".repeat(n), ")".repeat(n)),
        "model M equation ".to_owned() + &"if a then ".repeat(n) + &"end if; ".repeat(n) + "end M;",
        "model M equation ".to_owned() + &"if a then ".repeat(n),
        "model M ".repeat(n) + &"end M; ".repeat(n),
        "model M ".repeat(n),
        "end M; ".repeat(n),
        "model M equation ".repeat(n),
        "x = 1 ".repeat(n),
        "model M Real x ".to_owned() + &"Real x ".repeat(n),
        "model M equation ".to_owned() + &"x = = 1; ".repeat(n) + "end M;",
        "model M equation ".to_owned() + &"+ ".repeat(n) + "; end M;",
        "\"".repeat(n + 1),
        "\" a".repeat(n + 1),
        "'".repeat(n),
        "/*".repeat(n),
        "\0".repeat(n),
        "\0 ".repeat(n),
        "\r".repeat(n),
        ";".repeat(n),
        "model M annotation(a); ".to_owned() + &"annotation(a); ".repeat(n / 10) + "end M;",
    ];
    for text in texts {
        let parsed = parse(&text);
        // Walks, copies and compares the tree, to see that nothing recurses too deep.
        let mut copy = parsed.file.clone();
        copy.erase_spans();
        let _ = copy == parsed.file;
        let _ = copy.to_string();
        assert!(
            parsed.errors.len() <= 700,
            "{} messages",
            parsed.errors.len()
        );
        let _ = format(&text);
    }
}

#[test]
fn a_sum_of_several_thousand_terms_is_fine() {
    let text = format!("model M Real x = a{}; end M;", " + a".repeat(4000));
    assert_eq!(parse(&text).errors, []);
    assert!(format(&text).is_ok());
}
