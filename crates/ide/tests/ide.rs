//! Questions at a cursor (`$0`), and what is answered.

use modeshift_db::{Database, Db, MemorySystem, SourceFile};
use modeshift_driver::{Session, Settings};
use modeshift_ide::{
    ClassIndex, Symbol, completions, definition, document_symbols, format_on_type, highlights,
    hints, hover, lenses, references, rename, selections, signature, type_definition,
    workspace_symbols,
};
use std::sync::Arc;

const CIRCUIT: &str = r#"
package P "Parts"
  type Color = enumeration(red "warm", green);
  connector Pin "A pin" Real v; flow Real i; end Pin;
  partial model TwoPin Pin p; Pin n; end TwoPin;
  model Resistor "Ohm" extends TwoPin; parameter Real R(unit = "Ohm") = 1 "Resistance"; end Resistor;
  function f input Real x; output Real y; algorithm y := x; end f;
  model Circuit
    Resistor r[3](each R = 2), s(p(v(start = 1)));
    Color c = Color.red;
  equation
    connect(r[1].p, s.n);
    s.p.v = f(x = time);
  end Circuit;
end P;
"#;

/// A session with one open file, and the offset of `$0` in it.
fn session_at_cursor(text: &str) -> (Session, SourceFile, u32) {
    let offset = text.find("$0").expect("the text has a cursor");
    let mut session = Session::new(Arc::new(MemorySystem::new()), Settings::default());
    let file = session.open_text("/m.mo", &text.replacen("$0", "", 1));
    (session, file, offset as u32)
}

fn at_cursor(text: &str) -> (Database, SourceFile, u32) {
    let (session, file, offset) = session_at_cursor(text);
    (session.db().clone(), file, offset)
}

/// Puts the cursor before the first `word` behind the first `after`.
fn put(text: &str, after: &str, word: &str) -> String {
    let start = text.find(after).expect("the text has that") + after.len();
    let at = start + text[start..].find(word).expect("the word follows");
    format!("{}$0{}", &text[..at], &text[at..])
}

/// The text of the declaration found, and the line it is on.
fn found(text: &str) -> String {
    let (db, file, offset) = at_cursor(text);
    match definition(&db, file, offset) {
        Some(target) => text_at(&db, file, target.declaration.span.range()),
        None => "?".to_owned(),
    }
}

fn text_at(db: &dyn Db, file: SourceFile, range: std::ops::Range<usize>) -> String {
    file.text(db)[range]
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn definitions_are_found() {
    for (after, word, expected) in [
        ("connect(", "r[1]", "r[3](each R = 2)"),
        ("connect(r[1].", "p", "p"),
        ("connect(r[1].p, s.", "n)", "n"),
        ("s.p.", "v", "v"),
        (
            "Resistor r[3](each ",
            "R",
            "R(unit = \"Ohm\") = 1 \"Resistance\"",
        ),
        ("s(", "p(", "p"),
        ("s(p(", "v(", "v"),
        ("Color c = Color.", "red", "red"),
        ("s.p.v = f(", "x", "x"),
        ("end Circuit;\nend ", "P", "package P"),
        ("TwoPin; ", "Real", "?"),
    ] {
        let declared = found(&put(CIRCUIT, after, word));
        assert!(
            declared.starts_with(expected),
            "`{word}` behind `{after}`: {declared}"
        );
    }
    let (db, file, offset) = at_cursor(&put(CIRCUIT, "connect(r[1].", "p"));
    let target = type_definition(&db, file, offset).unwrap();
    assert!(text_at(&db, file, target.declaration.span.range()).starts_with("connector Pin"));
}

#[test]
fn hovers_tell_what_is_declared() {
    let mut told = Vec::new();
    for (after, word) in [
        ("Resistor r[3](each ", "R"),
        ("connect(r[1].", "p"),
        ("extends ", "TwoPin"),
        ("  Color", "c ="),
        ("Color.", "red"),
        ("package ", "P"),
    ] {
        let (session, file, offset) = session_at_cursor(&put(CIRCUIT, after, word));
        told.push(hover(&session, file, offset).map_or("nothing".to_owned(), |it| it.markdown));
    }
    insta::assert_snapshot!(told.join("\n----\n"));
}

#[test]
fn of_a_very_large_file_classes_are_told_without_what_is_in_them() {
    let told = |class: &str, count: usize| {
        let text: String = (0..count)
            .map(|k| class.replace('#', &k.to_string()))
            .collect();
        let (db, file, _) = at_cursor(&format!("$0{text}"));
        let symbols = document_symbols(&db, file);
        let inside = symbols[0].children.iter();
        (symbols.len(), inside.map(|it| it.children.len()).collect())
    };
    let class = "model M# Real a; model In Real b, c; end In; end M#;\n";
    assert_eq!(told(class, 10), (10, vec![0, 2]));
    assert_eq!(told(class, 15_000), (15_000, vec![0]));
    assert_eq!(told(class, 30_000), (30_000, Vec::new()));
}

#[test]
fn the_end_of_a_name_belongs_to_it_whatever_follows() {
    let text = "model M Real xy; equation xy$0= f(xy); end M;";
    assert_eq!(found(text), "xy");
    assert_eq!(
        found(&text.replace("xy$0=", "xy =").replace("(xy)", "(xy$0)")),
        "xy"
    );
}

#[test]
fn symbols_form_a_tree() {
    fn print(symbols: &[Symbol], depth: usize, into: &mut String) {
        for symbol in symbols {
            let indent = "  ".repeat(depth);
            into.push_str(&format!(
                "{indent}{} {:?} {}\n",
                symbol.name, symbol.kind, symbol.detail
            ));
            print(&symbol.children, depth + 1, into);
        }
    }
    let (db, file, _) = at_cursor(&format!("$0{CIRCUIT}"));
    let symbols = document_symbols(&db, file);
    let mut printed = String::new();
    print(&symbols, 0, &mut printed);
    let named = workspace_symbols(&db, [file], &ClassIndex::default(), "res", 10);
    printed.push_str(&format!(
        "{:?}\n",
        named.iter().map(|it| &it.0).collect::<Vec<_>>()
    ));
    insta::assert_snapshot!(printed);
}

/// The names proposed, keywords and libraries left out.
fn proposed(text: &str) -> String {
    let (db, file, offset) = at_cursor(text);
    let found = completions(&db, file, offset, None);
    let kept = found
        .items
        .iter()
        .filter(|item| !format!("{:?}", item.kind).contains("Keyword") && item.detail != "library");
    kept.map(|item| item.name.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn an_end_closes_the_class_around_it() {
    for (text, expected) in [
        ("model A Real x; end $0", "A"),
        ("model A Real x; end $0;", "A"),
        ("package P model A Real x; end $0\nend P;", "A"),
        ("package P model A Real x; end A; end $0\n", "P"),
    ] {
        assert_eq!(proposed(text), expected, "{text}");
    }
}

#[test]
fn completions_work_in_broken_text() {
    let broken = |line: &str| CIRCUIT.replace("s.p.v = f(x = time);", line);
    assert_eq!(proposed(&broken("s.$0")), "R p n");
    assert_eq!(proposed(&broken("s.p.$0")), "v i");
    assert_eq!(proposed(&broken("r[2].p.$0 = 3")), "v i");
    assert_eq!(proposed(&broken("s.$0;")), "R p n");
    assert_eq!(proposed(&broken("s.n$0")), "R p n");
    // Inputs of the function first, then what expressions are made of.
    assert!(proposed(&broken("f($0")).starts_with("x r s c Color"));
    assert!(proposed(&CIRCUIT.replace("(each R = 2)", "(each $0)")).starts_with("R p n"));
    assert!(proposed(&broken("$0")).starts_with("r s c Color Pin TwoPin Resistor f Circuit"));
    assert_eq!(
        proposed(&CIRCUIT.replace("= Color.red", "= Color.$0")),
        "red green"
    );
}

#[test]
fn no_question_at_any_place_panics() {
    for text in [
        CIRCUIT,
        "model",
        "",
        "a.b.",
        ".",
        "model A é.x(y = end A;",
        "end [ ] ( . ) x",
    ] {
        let (session, file, _) = session_at_cursor(&format!("$0{text}"));
        let db = session.db();
        for offset in 0..=text.len() as u32 {
            definition(db, file, offset);
            hover(&session, file, offset);
            completions(db, file, offset, None);
            signature(db, file, offset);
            selections(db, file, offset);
            references(db, file, offset, &[file]);
            let _ = rename(db, file, offset, "fresh", &[file]);
            format_on_type(db, file, offset, ";");
            format_on_type(db, file, offset, "\n");
            if offset == 0 {
                let all = modeshift_base::Span::new(0, text.len() as u32);
                highlights(db, file, all);
                hints(&session, file, all);
                lenses(&session, file);
            }
        }
    }
}
