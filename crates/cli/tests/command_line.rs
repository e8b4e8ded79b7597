//! The command line as a user meets it: exit status, streams, odd paths, closed pipes.

use modeshift_testkit::fixture::Fixture;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GOOD: &str = "model Good\n  Real x;\nequation\n  x = 1;\nend Good;\n";
const BAD: &str = "model Bad\n  Real x\n  Real y;\nequation\n  x = y;\nend Bad;\n";

fn modeshift<A: AsRef<OsStr>>(dir: &Path, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_modeshift"));
    command
        .args(args)
        .current_dir(dir)
        .env_remove("MODELICAPATH")
        .env_remove("NO_COLOR");
    command
}

fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    streams(modeshift(dir, args).output().expect("modeshift can be run"))
}

fn streams(output: Output) -> (i32, String, String) {
    (
        output.status.code().expect("no signal ended it"),
        String::from_utf8(output.stdout).expect("UTF-8"),
        String::from_utf8(output.stderr).expect("UTF-8"),
    )
}

fn workspace() -> tempfile::TempDir {
    let fixture =
        format!("//- /good/Good.mo\n{GOOD}//- /bad/Bad.mo\n{BAD}//- /empty/note.txt\nhi\n");
    Fixture::parse(&fixture)
        .write()
        .expect("a temporary directory")
}

#[test]
fn the_exit_status_tells_clean_errors_and_usage_apart() {
    let dir = workspace();
    assert_eq!(run(dir.path(), &["parse", "good"]).0, 0);
    assert_eq!(run(dir.path(), &["parse", "bad"]).0, 1);
    assert_eq!(run(dir.path(), &["parse", "good", "bad"]).0, 1);
    for usage in [
        &["parse"][..],
        &["parse", "nowhere.mo"],
        &["parse", "empty"],
        &["parse", "good", "--jobs", "many"],
        &["parse", "good", "--width", "3"],
        &["parse", "good", "--deny", "MS9999"],
        &["parse", "good", "--quiet", "--verbose"],
        &["frobnicate"],
        &["explain", "MS9999"],
        &["man", "frobnicate"],
        &["completions", "tcl"],
        &[],
    ] {
        let (status, stdout, stderr) = run(dir.path(), usage);
        assert_eq!(status, 2, "{usage:?}\n{stderr}");
        assert!(stdout.is_empty() && !stderr.is_empty(), "{usage:?}");
    }
}

#[test]
fn diagnostics_go_to_standard_error_and_machine_formats_to_standard_output() {
    let dir = workspace();
    let (_, stdout, stderr) = run(dir.path(), &["parse", "bad"]);
    assert!(
        stderr.contains("error[MS") && stderr.contains("bad/Bad.mo:"),
        "{stderr}"
    );
    assert!(
        stdout.contains("1 file") && !stdout.contains("error[MS"),
        "{stdout}"
    );

    let (_, stdout, _) = run(dir.path(), &["parse", "bad", "--message-format", "json"]);
    for line in stdout.lines() {
        let diagnostic: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        assert_eq!(diagnostic["labels"][0]["file"], "bad/Bad.mo");
    }
    assert!(!stdout.is_empty());

    let (_, stdout, _) = run(dir.path(), &["parse", "bad", "--message-format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&stdout).expect("a SARIF log");
    assert_eq!(log["runs"][0]["results"][0]["level"], "error");

    // A log without results is still a log.
    let (status, stdout, _) = run(dir.path(), &["parse", "good", "--message-format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&stdout).expect("a SARIF log");
    assert_eq!(
        (status, log["runs"][0]["results"].as_array().map(Vec::len)),
        (0, Some(0))
    );

    // Where the command prints a document, the messages keep off it.
    let (_, stdout, _) = run(
        dir.path(),
        &[
            "parse",
            "bad",
            "--format",
            "json",
            "--message-format",
            "sarif",
        ],
    );
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("a document");
    assert_eq!(document["schema"], "modeshift.parse/1");
}

#[test]
fn short_messages_are_what_editors_match() {
    let dir = workspace();
    let (_, _, stderr) = run(dir.path(), &["parse", "bad", "--message-format", "short"]);
    assert!(stderr.starts_with("bad/Bad.mo:"), "{stderr}");
    assert!(stderr.contains(": error[MS"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn colours_follow_the_option_and_no_color() {
    let dir = workspace();
    let escape = '\u{1b}';
    assert!(
        !run(dir.path(), &["parse", "bad"]).2.contains(escape),
        "no terminal, no colours"
    );
    assert!(
        run(dir.path(), &["parse", "bad", "--color", "always"])
            .2
            .contains(escape)
    );
    assert!(
        !run(dir.path(), &["parse", "bad", "--color", "never"])
            .2
            .contains(escape)
    );
    let mut command = modeshift(dir.path(), ["parse", "bad"]);
    let output = command
        .env("NO_COLOR", "1")
        .output()
        .expect("modeshift can be run");
    assert!(!streams(output).2.contains(escape));
}

#[test]
fn quiet_leaves_errors_only() {
    let dir = workspace();
    assert_eq!(
        run(dir.path(), &["parse", "good", "-q"]),
        (0, String::new(), String::new())
    );
    let (status, stdout, stderr) = run(dir.path(), &["parse", "bad", "-q"]);
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(stderr.contains("error[MS"));
}

#[test]
fn each_file_is_read_once_and_in_a_fixed_order() {
    let dir = workspace();
    for i in 0..40 {
        fs::write(dir.path().join(format!("good/M{i}.mo")), "model A end A;").expect("written");
    }
    let files = |jobs: &str| {
        let args = [
            "parse",
            "good",
            "good/Good.mo",
            "good",
            "--format",
            "json",
            "-j",
            jobs,
        ];
        run(dir.path(), &args).1
    };
    let one = files("1");
    let document: serde_json::Value = serde_json::from_str(&one).expect("a document");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(41));
    for jobs in ["0", "2", "7", "18446744073709551615"] {
        assert_eq!(files(jobs), one, "--jobs {jobs}");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_error() {
    let dir = workspace();
    let many: String = (0..3_000)
        .map(|i| format!("model M{i}\n  Real x\nend M{i};\n"))
        .collect();
    fs::write(dir.path().join("Many.mo"), many).expect("written");
    for (args, from_stdout) in [
        (&["parse", "Many.mo", "--format", "json"][..], true),
        (&["parse", "Many.mo"], false),
        (&["parse", "Many.mo", "--message-format", "json"], true),
        (&["parse", "Many.mo", "--message-format", "sarif"], true),
        (&["explain"], true),
        (&["completions", "bash"], true),
        (&["man"], true),
        (&["--help"], true),
    ] {
        let mut command = modeshift(dir.path(), args);
        command.stdin(Stdio::null());
        let mut child = if from_stdout {
            command.stdout(Stdio::piped()).stderr(Stdio::piped())
        } else {
            command.stdout(Stdio::null()).stderr(Stdio::piped())
        }
        .spawn()
        .expect("modeshift can be run");
        // Read a little, then close: what `head` does.
        let mut start = [0; 16];
        let stderr = if from_stdout {
            let _ = child.stdout.take().map(|mut out| out.read(&mut start));
            let mut text = String::new();
            child
                .stderr
                .take()
                .map(|mut err| err.read_to_string(&mut text));
            text
        } else {
            let _ = child.stderr.take().map(|mut err| err.read(&mut start));
            String::new()
        };
        let status = child.wait().expect("it ends");
        assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
        assert!(matches!(status.code(), Some(0 | 1)), "{args:?}: {status}");
    }
}

#[test]
fn a_file_that_is_no_text_gets_a_diagnostic() {
    let dir = workspace();
    let cases: [(&str, &[u8]); 3] = [
        ("Nul.mo", b"model A\0 end A;\n"),
        ("Binary.mo", &[0xff, 0xfe, 0x00, 0x01, 0x80]),
        ("Elf.mo", b"\x7fELF\x02\x01\x01"),
    ];
    for (name, bytes) in cases {
        fs::write(dir.path().join(name), bytes).expect("written");
        let (status, _, stderr) = run(dir.path(), &["parse", name]);
        assert_eq!(status, 1, "{name}\n{stderr}");
        assert!(stderr.contains("error[MS00"), "{name}\n{stderr}");
        assert!(!stderr.contains('\0'), "{name}");
    }
}

#[test]
fn text_in_latin_1_is_read_with_a_warning() {
    let dir = workspace();
    let bytes = b"model A \"gr\xfc\xdfe \x96\" end A;\n";
    fs::write(dir.path().join("Latin.mo"), bytes).expect("written");
    let (status, stdout, stderr) = run(dir.path(), &["flatten", "Latin.mo"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("warning[MS0011]"), "{stderr}");
    assert!(stdout.contains("grüße –"), "{stdout}");
}

#[test]
fn an_empty_file_is_fine() {
    let dir = workspace();
    fs::write(dir.path().join("Empty.mo"), "").expect("written");
    assert_eq!(run(dir.path(), &["parse", "Empty.mo"]).0, 0);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn paths_with_spaces_and_bytes_that_are_no_utf_8_work() {
        let dir = workspace();
        let name = OsStr::from_bytes(b"gr\xfc n.mo");
        fs::write(dir.path().join(name), BAD).expect("written");
        let output = modeshift(dir.path(), [OsStr::new("parse"), name])
            .output()
            .expect("run");
        let (status, _, stderr) = streams(output);
        assert_eq!(status, 1);
        assert!(stderr.contains("gr\u{fffd} n.mo:"), "{stderr}");
        // Found in a directory, too.
        let (_, stdout, _) = run(dir.path(), &["parse", ".", "-q", "--format", "json"]);
        assert!(stdout.contains("gr\u{fffd} n.mo"));
    }

    #[test]
    fn a_file_that_may_not_be_read_gets_a_diagnostic() {
        let dir = workspace();
        let path = dir.path().join("good/Secret.mo");
        fs::write(&path, GOOD).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("changed");
        if fs::read(&path).is_ok() {
            return; // The superuser may read everything.
        }
        let (status, _, stderr) = run(dir.path(), &["parse", "good"]);
        assert_eq!(status, 1);
        assert!(
            stderr.contains("error[MS0011]") && stderr.contains("Secret.mo"),
            "{stderr}"
        );
    }

    #[test]
    fn links_that_lead_in_a_circle_or_nowhere_end_with_a_message() {
        let dir = workspace();
        symlink(dir.path().join("good"), dir.path().join("good/again")).expect("linked");
        symlink(dir.path().join("gone.mo"), dir.path().join("good/Gone.mo")).expect("linked");
        let (status, _, stderr) = run(dir.path(), &["parse", "good"]);
        assert_eq!(status, 1, "{stderr}");
        assert_eq!(stderr.matches("error[MS0011]").count(), 2, "{stderr}");
    }
}

#[test]
fn help_of_every_command_shows_examples() {
    let dir = workspace();
    let (_, help, _) = run(dir.path(), &["--help"]);
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        // A long description continues below itself, further to the right.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let mut count = 0;
    for command in commands {
        let (status, help, _) = run(dir.path(), &[command, "--help"]);
        assert_eq!(status, 0);
        assert!(
            help.contains("Examples:\n  modeshift "),
            "{command} --help shows no examples"
        );
        count += 1;
    }
    assert!(count >= 4, "{help}");
}

#[test]
fn explain_knows_every_code() {
    let dir = workspace();
    let (_, list, _) = run(dir.path(), &["explain"]);
    for code in modeshift_diag::Code::ALL {
        assert!(
            list.contains(code.as_str()) && list.contains(code.title()),
            "{code}"
        );
        let (status, page, _) = run(dir.path(), &["explain", code.slug()]);
        assert_eq!(status, 0);
        assert!(
            page.starts_with(&format!("# {code}: {}", code.title())),
            "{code}\n{page}"
        );
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    let dir = workspace();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, _) = run(dir.path(), &["completions", shell]);
        assert!(status == 0 && script.contains("modeshift"), "{shell}");
    }
    let (_, page, _) = run(dir.path(), &["man"]);
    assert!(page.contains(".TH modeshift 1"), "{page}");
    let (_, page, _) = run(dir.path(), &["man", "parse"]);
    assert!(
        page.contains("modeshift\\-parse") || page.contains("modeshift-parse"),
        "{page}"
    );
}

mod fmt {
    use super::*;
    use std::io::Write;

    const UNTIDY: &str = "model  A // a\n Real x ;\nequation\nx=1;\nend A;\n";
    const TIDY: &str = "model A // a\n  Real x;\nequation\n  x = 1;\nend A;\n";

    fn directory() -> tempfile::TempDir {
        let fixture = format!("//- /U.mo\n{UNTIDY}//- /T.mo\n{TIDY}//- /Bad.mo\n{BAD}");
        Fixture::parse(&fixture)
            .write()
            .expect("a temporary directory")
    }

    fn read(dir: &Path, name: &str) -> String {
        fs::read_to_string(dir.join(name)).expect("readable")
    }

    #[test]
    fn files_are_formatted_in_place_and_a_second_run_changes_nothing() {
        let dir = directory();
        let (status, stdout, _) = run(dir.path(), &["fmt", "U.mo", "T.mo"]);
        assert_eq!((status, stdout.as_str()), (0, "2 files: 1 formatted\n"));
        assert_eq!(read(dir.path(), "U.mo"), TIDY);
        let (_, stdout, _) = run(dir.path(), &["fmt", "U.mo", "T.mo"]);
        assert_eq!(stdout, "2 files: 0 formatted\n");
        assert_eq!(
            fs::read_dir(dir.path()).expect("listed").count(),
            3,
            "nothing is left behind"
        );
    }

    #[test]
    fn a_file_with_errors_is_reported_and_never_touched() {
        let dir = directory();
        let (status, _, stderr) = run(dir.path(), &["fmt", "."]);
        assert_eq!(status, 1);
        assert!(stderr.contains("Bad.mo:2:"), "{stderr}");
        assert_eq!(read(dir.path(), "Bad.mo"), BAD);
        assert_eq!(read(dir.path(), "U.mo"), TIDY, "the others are formatted");
        fs::write(dir.path().join("Latin.mo"), b"model  A \"\xfc\" end A;").expect("written");
        assert_eq!(run(dir.path(), &["fmt", "Latin.mo"]).0, 1);
        let bytes = fs::read(dir.path().join("Latin.mo")).expect("readable");
        assert_eq!(bytes, b"model  A \"\xfc\" end A;");
    }

    #[test]
    fn a_check_changes_nothing_and_tells() {
        let dir = directory();
        assert_eq!(run(dir.path(), &["fmt", "--check", "T.mo"]).0, 0);
        let (status, stdout, _) = run(dir.path(), &["fmt", "--check", "U.mo"]);
        assert_eq!(status, 1);
        assert!(
            stdout.starts_with("U.mo: 3 lines would change\n"),
            "{stdout}"
        );
        let (_, stdout, _) = run(dir.path(), &["fmt", "--check", "--diff", "U.mo"]);
        assert!(stdout.contains("-x=1;\n+  x = 1;\n"), "{stdout}");
        assert_eq!(read(dir.path(), "U.mo"), UNTIDY);
    }

    #[test]
    fn line_endings_stay() {
        let dir = directory();
        fs::write(dir.path().join("Dos.mo"), UNTIDY.replace('\n', "\r\n")).expect("written");
        assert_eq!(run(dir.path(), &["fmt", "Dos.mo"]).0, 0);
        assert_eq!(read(dir.path(), "Dos.mo"), TIDY.replace('\n', "\r\n"));
    }

    fn pipe(dir: &Path, args: &[&str], input: &str) -> (i32, String, String) {
        let mut child = modeshift(dir, args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("modeshift can be run");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("written");
        drop(stdin);
        streams(child.wait_with_output().expect("it ends"))
    }

    #[test]
    fn standard_input_comes_back_formatted_or_as_it_was() {
        let dir = directory();
        assert_eq!(pipe(dir.path(), &["fmt", "--stdin"], UNTIDY).1, TIDY);
        let (status, stdout, stderr) = pipe(dir.path(), &["fmt", "--stdin"], BAD);
        assert_eq!(
            (status, stdout.as_str()),
            (1, BAD),
            "an editor must not lose its buffer"
        );
        assert!(stderr.contains("<stdin>:2:"), "{stderr}");
        assert_eq!(
            pipe(dir.path(), &["fmt", "--stdin", "--check"], UNTIDY).0,
            1
        );
        assert_eq!(pipe(dir.path(), &["fmt", "--stdin", "--check"], TIDY).0, 0);
        assert_eq!(pipe(dir.path(), &["fmt", "--stdin", "U.mo"], TIDY).0, 2);
    }
}

/// Warnings that are known, allowed or changed, and fixes that are applied.
mod project {
    use super::*;

    const EQUAL: &str =
        "model Equal\n  Real x = time;\n  Boolean b;\nequation\n  b = x == 1;\nend Equal;\n";

    fn workspace() -> tempfile::TempDir {
        let text = format!("//- /Equal.mo\n{EQUAL}//- /old/Equal.mo\n{EQUAL}//- /Bad.mo\n{BAD}");
        let fixture = Fixture::parse(&text);
        fixture.write().expect("a temporary directory")
    }

    #[test]
    fn fixes_are_shown_and_applied() {
        let dir = workspace();
        let (status, stdout, _) = run(dir.path(), &["check", "--diff", "Bad.mo"]);
        assert_eq!(status, 1);
        assert!(stdout.contains("-  Real x\n+  Real x;\n"), "{stdout}");
        let text = || fs::read_to_string(dir.path().join("Bad.mo")).expect("the file is there");
        assert_eq!(text(), BAD);
        let (_, _, stderr) = run(dir.path(), &["check", "--fix", "Bad.mo"]);
        assert!(stderr.contains("1 fix applied"), "{stderr}");
        assert_eq!(text(), BAD.replace("Real x\n", "Real x;\n"));
    }

    #[test]
    fn levels_come_from_the_settings_and_the_nearest_path_counts() {
        let dir = workspace();
        let settings = "[levels]\nMS2041 = \"error\"\n[[paths]]\npath = \"old\"\nlevels = { real-equality = \"allow\" }\n";
        fs::write(dir.path().join("modeshift.toml"), settings).expect("settings can be written");
        assert_eq!(run(dir.path(), &["check", "Equal.mo"]).0, 1);
        let (status, stdout, stderr) = run(dir.path(), &["check", "old/Equal.mo"]);
        assert_eq!((status, &*stdout, &*stderr), (0, "no errors\n", ""));
        fs::write(dir.path().join("modeshift.toml"), "levels = 1")
            .expect("settings can be written");
        assert_eq!(run(dir.path(), &["check", "Equal.mo"]).0, 2);
    }

    #[test]
    fn known_warnings_are_left_out_and_new_ones_are_not() {
        let dir = workspace();
        run(
            dir.path(),
            &["check", "Equal.mo", "--write-baseline", "known.json"],
        );
        let known = ["check", "Equal.mo", "--baseline", "known.json"];
        assert_eq!(run(dir.path(), &known).1, "no errors\n");
        let more = EQUAL.replace("Boolean b;", "Boolean b;\n  Boolean c = x == 2;");
        fs::write(dir.path().join("Equal.mo"), more).expect("the file can be written");
        assert_eq!(run(dir.path(), &known).1, "1 warning\n");
    }

    #[test]
    fn a_comment_allows_a_warning_in_its_line() {
        let dir = workspace();
        let allowed = EQUAL.replace(
            "x == 1;",
            "x == 1; // modeshift: allow MS2041 -- on purpose",
        );
        fs::write(dir.path().join("Equal.mo"), allowed).expect("the file can be written");
        assert_eq!(run(dir.path(), &["check", "Equal.mo"]).1, "no errors\n");
    }

    #[test]
    fn close_names_are_proposed() {
        let dir = workspace();
        let (status, _, stderr) = run(dir.path(), &["check", "Equl.mo"]);
        assert_eq!(status, 2);
        assert!(stderr.contains("did you mean `Equal.mo`?"), "{stderr}");
    }
}
