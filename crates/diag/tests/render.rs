//! How diagnostics look. Every picture here was looked at; a change must be looked at again.

use modeshift_base::{FileId, FileSpan, Span};
use modeshift_diag::json::JsonDiagnostic;
use modeshift_diag::terminal::{self, Style};
use modeshift_diag::{Code, Diagnostic, Edit, Files, Severity, sarif};
use termcolor::{Ansi, NoColor};

const CLUTCH: &str = "\
model Clutch \"two shafts, engaged when g\"
  parameter Real j1 = 1, j2 = 2;
  Real w1, w2, t1, t2;
  input Boolean g;
equation
  j1*der(w1) = t1;
  j2*der(w2) = t2;
  if g then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0
    t2 = 0;
  end if;
end Clutch;
";

fn draw(diagnostic: &Diagnostic, files: &Files, width: usize) -> String {
    let mut out = NoColor::new(Vec::new());
    terminal::write(
        &mut out,
        diagnostic,
        files,
        Style {
            width,
            short: false,
        },
    )
    .unwrap();
    String::from_utf8(out.into_inner()).unwrap()
}

/// The `n`th occurrence (from 0) of `needle`.
fn nth(files: &Files, file: FileId, needle: &str, n: usize) -> FileSpan {
    let text = files.get(file).unwrap().text();
    let (start, found) = text
        .match_indices(needle)
        .nth(n)
        .expect("the needle is in the text");
    FileSpan {
        file,
        span: Span::new(start as u32, (start + found.len()) as u32),
    }
}

fn at(files: &Files, file: FileId, needle: &str) -> FileSpan {
    nth(files, file, needle, 0)
}

fn after(at: FileSpan) -> FileSpan {
    FileSpan {
        span: Span::new(at.span.end, at.span.end),
        ..at
    }
}

fn missing_semicolon() -> (Files, Diagnostic) {
    let mut files = Files::new();
    let file = files.add("models/Clutch.mo", CLUTCH);
    let end = after(nth(&files, file, "t1 = 0", 0));
    let diagnostic = Diagnostic::new(Code::MS0002, "expected `;` after this equation")
        .label(end, "put `;` here")
        .label(nth(&files, file, "t2", 3), "the next equation begins here")
        .fix(
            "end the equation with `;`",
            vec![Edit {
                at: end,
                text: ";".into(),
            }],
        );
    (files, diagnostic)
}

#[test]
fn labels_notes_and_fixes() {
    let (files, diagnostic) = missing_semicolon();
    insta::assert_snapshot!(draw(&diagnostic, &files, 100));
}

#[test]
fn colours() {
    let (files, diagnostic) = missing_semicolon();
    let mut out = Ansi::new(Vec::new());
    terminal::write(&mut out, &diagnostic, &files, Style::default()).unwrap();
    let text = String::from_utf8(out.into_inner())
        .unwrap()
        .replace('\u{1b}', "␛");
    insta::assert_snapshot!(text);
}

#[test]
fn short_form() {
    let (files, diagnostic) = missing_semicolon();
    let mut out = NoColor::new(Vec::new());
    terminal::write(
        &mut out,
        &diagnostic,
        &files,
        Style {
            short: true,
            ..Style::default()
        },
    )
    .unwrap();
    insta::assert_snapshot!(String::from_utf8(out.into_inner()).unwrap());
}

#[test]
fn json_and_sarif_tell_the_same() {
    let (files, diagnostic) = missing_semicolon();
    insta::assert_json_snapshot!("json", JsonDiagnostic::new(&diagnostic, &files));
    let mut log = sarif::Log::new();
    log.add(&diagnostic, &files);
    log.add(&diagnostic.with_severity(Severity::Note), &files);
    let mut log = log.finish();
    log["runs"][0]["tool"]["driver"]["version"] = "[version]".into();
    insta::assert_json_snapshot!("sarif", log);
}

/// A message about a cycle through several equations, on terminals of several widths.
#[test]
fn many_labels_fold_into_narrow_terminals() {
    let mut files = Files::new();
    let file = files.add("Clutch.mo", CLUTCH);
    let diagnostic = Diagnostic::new(
        Code::MS0001,
        "the model has 3 equations for the 2 unknowns `w1` and `w2` when `g` is true and the clutch was open before",
    )
    .label(at(&files, file, "w1 - w2 = 0"), "this equation is one too many: both speeds are states already, and it ties them together")
    .label(at(&files, file, "j1*der(w1) = t1"), "determines `der(w1)` from the torque `t1`, which no other equation needs")
    .label(nth(&files, file, "w2", 1), "`w2` is a state here")
    .label(nth(&files, file, "j2", 1), "inertia of the second shaft, a parameter that is known before the simulation starts")
    .label(nth(&files, file, "t2", 1), "torque on it")
    .note("The equations that are too many, and the unknowns they share:\n  w1 - w2 = 0      w1, w2\n  j1*der(w1) = t1  w1, t1")
    .note("Two inertias that are rigidly coupled have one speed, so one of the two must be computed from the other; see `modeshift explain MS0001` for the way out.");
    for width in [100, 60, 40] {
        insta::assert_snapshot!(
            format!("many_labels_{width}"),
            draw(&diagnostic, &files, width)
        );
    }
}

#[test]
fn labels_in_several_files_and_over_several_lines() {
    let mut files = Files::new();
    let user = files.add("Drive train/Model.mo", CLUTCH);
    let library = files.add(
        "lib/Interfaces.mo",
        "connector Flange\n  Real phi;\n  flow Real tau;\nend Flange;\n",
    );
    let from = at(&files, user, "if g then");
    let to = at(&files, user, "end if;");
    let both = FileSpan {
        file: user,
        span: from.span.to(to.span),
    };
    let diagnostic = Diagnostic::new(
        Code::MS0004,
        "the branches of this `if` have different numbers of equations",
    )
    .label(both, "2 equations when `g`, 1 otherwise")
    .label(
        at(&files, library, "flow Real tau;"),
        "the flow variable that is left open",
    )
    .label(
        at(&files, library, "connector Flange\n"),
        "declared in this connector",
    )
    .note("Every branch of an `if` equation needs the same number of equations.");
    insta::assert_snapshot!(draw(&diagnostic, &files, 80));
}

#[test]
fn long_lines_are_cropped_around_the_label() {
    let mut files = Files::new();
    let long = format!(
        "  Real x = {} + oops + {};\n",
        vec!["abc"; 40].join(" + "),
        vec!["xyz"; 40].join(" + ")
    );
    let file = files.add("Long.mo", format!("model Long\n{long}end Long;\n"));
    let diagnostic = Diagnostic::new(Code::MS0001, "there is no variable `oops`")
        .label(at(&files, file, "oops"), "not declared")
        .label(at(&files, file, "Real"), "");
    insta::assert_snapshot!(draw(&diagnostic, &files, 70));
}

#[test]
fn the_header_tells_the_column_of_the_file_even_where_the_line_is_cropped() {
    let mut files = Files::new();
    let file = files.add("Long.mo", format!("{}oops\n", "é ".repeat(200)));
    let diagnostic = Diagnostic::new(Code::MS0001, "bad").label(at(&files, file, "oops"), "");
    assert!(draw(&diagnostic, &files, 60).contains("Long.mo:1:401"));
}

#[test]
fn a_file_of_one_huge_line_is_shown_around_each_label() {
    let mut files = Files::new();
    let filler = "é+".repeat(500_000);
    let file = files.add("Huge.mo", format!("{filler}oops{filler}"));
    let diagnostic = Diagnostic::new(Code::MS0001, "bad")
        .label(at(&files, file, "oops"), "here")
        .fix(
            "remove `oops`",
            vec![Edit {
                at: at(&files, file, "oops"),
                text: String::new(),
            }],
        );
    // Looking at the whole line for each of them would take minutes.
    for _ in 0..200 {
        let drawn = draw(&diagnostic, &files, 60);
        assert!(drawn.contains("Huge.mo:1:1000001"), "{drawn}");
        assert!(drawn.contains("…é+é+é+é+é+é+oopsé+é+"), "{drawn}");
        assert!(drawn.contains("^^^^ here"), "{drawn}");
    }
}

#[test]
fn tabs_wide_and_control_characters_keep_the_carets_in_place() {
    let mut files = Files::new();
    let file = files.add(
        "Weird.mo",
        "\tReal\t'温度 T' = \"\u{1b}[31m\u{0}\" + 𝛼;\r\n\t\u{202e}Real y;\u{7f}\n",
    );
    let diagnostic = Diagnostic::new(Code::MS0009, "a character that Modelica does not know")
        .label(at(&files, file, "𝛼"), "this one")
        .label(
            at(&files, file, "'温度 T'"),
            "a quoted identifier may hold any character",
        )
        .label(at(&files, file, "y"), "and \u{1b}[31m this?");
    insta::assert_snapshot!(draw(&diagnostic, &files, 80));
}

#[test]
fn the_end_of_the_file_can_be_pointed_at() {
    let mut files = Files::new();
    for text in ["", "model A", "model A\n", "model A\r\n\r\n"] {
        let file = files.add("A.mo", text);
        let end = FileSpan {
            file,
            span: Span::new(text.len() as u32, text.len() as u32),
        };
        let diagnostic =
            Diagnostic::new(Code::MS0004, "`A` is not closed").label(end, "expected `end A;`");
        insta::assert_snapshot!(
            format!("end_of_file_{}", text.len()),
            draw(&diagnostic, &files, 80)
        );
    }
}

#[test]
fn sloppy_spans_and_unknown_files_do_not_panic() {
    let mut files = Files::new();
    let file = files.add("A.mo", "é\né");
    let unknown = FileSpan {
        file: FileId(77),
        span: Span::new(3, 9),
    };
    let sloppy = |start, end| FileSpan {
        file,
        span: Span::new(start, end),
    };
    for start in 0..8 {
        for end in 0..8 {
            let diagnostic = Diagnostic::new(Code::MS0001, "sloppy")
                .label(sloppy(start, end), "here")
                .label(unknown, "nowhere")
                .fix(
                    "change it",
                    vec![Edit {
                        at: sloppy(start, end),
                        text: "x".into(),
                    }],
                );
            for width in [0, 30, 80] {
                draw(&diagnostic, &files, width);
            }
            JsonDiagnostic::new(&diagnostic, &files);
            sarif::Log::new().add(&diagnostic, &files);
        }
    }
    let diagnostic = Diagnostic::new(Code::MS0011, "nothing to point at").note("but a note");
    insta::assert_snapshot!(draw(&diagnostic, &files, 80));
}

#[test]
fn fixes_show_the_changed_text() {
    let mut files = Files::new();
    let file = files.add("Clutch.mo", CLUTCH);
    let condition = nth(&files, file, "g then", 0);
    let g = FileSpan {
        file,
        span: Span::new(condition.span.start, condition.span.start + 1),
    };
    let line = at(&files, file, "    w1 - w2 = 0;\n");
    let diagnostic = Diagnostic::new(Code::MS0001, "the mode depends on itself")
        .label(g, "read here")
        .fix(
            "read the value from before the change",
            vec![Edit {
                at: g,
                text: "pre(g)".into(),
            }],
        )
        .fix(
            "remove the equation",
            vec![Edit {
                at: line,
                text: String::new(),
            }],
        )
        .fix(
            "declare a Boolean of its own",
            vec![
                Edit {
                    at: after(at(&files, file, "input Boolean g;")),
                    text: "\n  Boolean engaged = pre(g);".into(),
                },
                Edit {
                    at: g,
                    text: "engaged".into(),
                },
            ],
        );
    insta::assert_snapshot!(draw(&diagnostic, &files, 80));
}
