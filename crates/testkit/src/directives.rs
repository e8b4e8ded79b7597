//! The header of a test model: what to run on it and what to expect.
//!
//! A model's first lines may be `//!` comments of the form `//! key: value`:
//!
//! ```text
//! //! run: modes --format json          the command; the file is passed as its first argument
//! //! exit: 0                           the exit status, 0 unless said otherwise
//! //! json: /verdict == "accepted"      a JSON pointer into standard output; also `!=`,
//! //!                                   `contains`, `len N`, `absent`
//! //! approx: /right/w1 == 1.3333 +- 1e-4
//! //! code: MS4003 line 12              a diagnostic that must be reported (at that line)
//! //! stdout: some text                 standard output contains it; also `stderr`
//! //! snapshot                          both streams are compared with a snapshot beside the model
//! //! mend: 12: text                    with line 12 replaced (empty: removed), the same command reports none of
//! //!                                   the codes and no error; `12+:` inserts behind line 12
//! //! part: of Library, see there       this file is no test of its own
//! ```
//!
//! What follows a `run` belongs to it. Without `run` the command is `check`. The commands run in the
//! directory of the model.

use serde_json::Value;
use std::fmt;

/// One command on the model, and what is expected of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    pub args: Vec<String>,
    pub exit: i32,
    pub expectations: Vec<Expectation>,
    pub snapshot: bool,
    pub mends: Vec<Mend>,
    /// The line of the directive, for messages.
    pub line: usize,
}

/// A change of one line that mends a faulty model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mend {
    /// From 1.
    pub line: usize,
    /// Behind the line, not instead of it.
    pub insert: bool,
    pub text: String,
}

impl Mend {
    /// The model with all changes made. Lines count as in the model as it is.
    pub fn apply(mends: &[Self], model: &str) -> String {
        let mut out = String::new();
        for (i, line) in model.lines().enumerate() {
            let here = || mends.iter().filter(move |mend| mend.line == i + 1);
            let replaced = here().find(|mend| !mend.insert);
            match replaced {
                Some(mend) if mend.text.trim().is_empty() => {}
                Some(mend) => out.extend([&mend.text, "\n"]),
                None => out.extend([line, "\n"]),
            }
            for mend in here().filter(|mend| mend.insert) {
                out.extend([&mend.text, "\n"]);
            }
        }
        out
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Expectation {
    Json {
        pointer: String,
        test: JsonTest,
    },
    Approx {
        pointer: String,
        value: f64,
        tolerance: f64,
    },
    Code {
        code: String,
        line: Option<u32>,
    },
    Stdout(String),
    Stderr(String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum JsonTest {
    Equals(Value),
    Differs(Value),
    /// A string has this substring, an array this element, an object this key.
    Contains(Value),
    /// An array or object has so many entries.
    Len(usize),
    Absent,
}

/// What a model's header says.
#[derive(Clone, PartialEq, Debug)]
pub enum Header {
    Runs(Vec<Run>),
    /// The file belongs to another test.
    Part,
}

impl Run {
    fn new(args: Vec<String>, line: usize) -> Self {
        Self {
            args,
            exit: 0,
            expectations: Vec::new(),
            snapshot: false,
            mends: Vec::new(),
            line,
        }
    }
}

/// Reads the header of a model. An error names the line.
pub fn parse(text: &str) -> Result<Header, String> {
    let mut runs: Vec<Run> = Vec::new();
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        let Some(directive) = line.strip_prefix("//!") else {
            if line.is_empty() { continue } else { break }
        };
        let number = i + 1;
        let (key, value) = match directive.trim().split_once(':') {
            Some((key, value)) => (key.trim(), value.trim()),
            None => (directive.trim(), ""),
        };
        match key {
            "part" => return Ok(Header::Part),
            "run" => runs.push(Run::new(split(value).map_err(at(number))?, number)),
            _ => {
                if runs.is_empty() {
                    runs.push(Run::new(vec!["check".into()], number));
                }
                let Some(run) = runs.last_mut() else { continue };
                apply(run, key, value).map_err(at(number))?;
            }
        }
    }
    if runs.is_empty() {
        runs.push(Run::new(vec!["check".into()], 1));
    }
    Ok(Header::Runs(runs))
}

fn at(line: usize) -> impl Fn(String) -> String {
    move |message| format!("line {line}: {message}")
}

fn apply(run: &mut Run, key: &str, value: &str) -> Result<(), String> {
    let expectation = match key {
        "exit" => {
            run.exit = value
                .parse()
                .map_err(|_| format!("`{value}` is no exit status"))?;
            return Ok(());
        }
        "snapshot" => {
            run.snapshot = true;
            return Ok(());
        }
        "mend" => {
            run.mends.push(mend(value)?);
            return Ok(());
        }
        "json" => json(value)?,
        "approx" => approx(value)?,
        "code" => code(value)?,
        "stdout" if !value.is_empty() => Expectation::Stdout(value.to_owned()),
        "stderr" if !value.is_empty() => Expectation::Stderr(value.to_owned()),
        _ => return Err(format!("there is no directive `{key}: {value}`")),
    };
    run.expectations.push(expectation);
    Ok(())
}

fn mend(value: &str) -> Result<Mend, String> {
    let wrong = || format!("expected `LINE: text` or `LINE+: text`, found `{value}`");
    let (line, text) = value.split_once(':').ok_or_else(wrong)?;
    let (line, insert) = match line.trim().strip_suffix('+') {
        Some(line) => (line, true),
        None => (line.trim(), false),
    };
    Ok(Mend {
        line: line.trim().parse().map_err(|_| wrong())?,
        insert,
        text: text.to_owned(),
    })
}

fn json(value: &str) -> Result<Expectation, String> {
    let (pointer, rest) = pointer(value)?;
    let (operator, operand) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let operand = operand.trim();
    let parsed = || {
        serde_json::from_str(operand).map_err(|error| format!("`{operand}` is not JSON: {error}"))
    };
    let test = match operator {
        "==" => JsonTest::Equals(parsed()?),
        "!=" => JsonTest::Differs(parsed()?),
        "contains" => JsonTest::Contains(parsed()?),
        "len" => JsonTest::Len(
            operand
                .parse()
                .map_err(|_| format!("`{operand}` is no length"))?,
        ),
        "absent" if operand.is_empty() => JsonTest::Absent,
        _ => {
            return Err(format!(
                "expected `==`, `!=`, `contains`, `len` or `absent` in `{value}`"
            ));
        }
    };
    Ok(Expectation::Json { pointer, test })
}

fn approx(value: &str) -> Result<Expectation, String> {
    let (pointer, rest) = pointer(value)?;
    let parts = rest
        .strip_prefix("==")
        .and_then(|rest| rest.split_once("+-"));
    let (number, tolerance) = parts
        .ok_or_else(|| format!("expected `POINTER == NUMBER +- TOLERANCE`, found `{value}`"))?;
    let parse = |text: &str| -> Result<f64, String> {
        text.trim()
            .parse()
            .map_err(|_| format!("`{}` is no number", text.trim()))
    };
    Ok(Expectation::Approx {
        pointer,
        value: parse(number)?,
        tolerance: parse(tolerance)?,
    })
}

fn code(value: &str) -> Result<Expectation, String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let (code, line) = match words[..] {
        [code] => (code, None),
        [code, "line", line] => (
            code,
            Some(
                line.parse()
                    .map_err(|_| format!("`{line}` is no line number"))?,
            ),
        ),
        _ => return Err(format!("expected `CODE` or `CODE line N`, found `{value}`")),
    };
    if modeshift_diag::Code::parse(code).is_none() {
        return Err(format!("there is no code `{code}`"));
    }
    Ok(Expectation::Code {
        code: code.to_owned(),
        line,
    })
}

/// A JSON pointer is empty (the whole document) or begins with `/`.
fn pointer(value: &str) -> Result<(String, &str), String> {
    let (pointer, rest) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    if pointer.starts_with('/') {
        Ok((pointer.to_owned(), rest.trim()))
    } else {
        Err(format!(
            "expected a JSON pointer such as `/verdict`, found `{pointer}`"
        ))
    }
}

/// Splits a command line as a shell does: at spaces, except inside single or double quotes.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for char in line.chars() {
        match quote {
            Some(open) if char == open => quote = None,
            None if char == '"' || char == '\'' => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            None if char.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a {open} is not closed in `{line}`"));
    }
    words.extend(word);
    if words.is_empty() {
        return Err("a command is missing".into());
    }
    Ok(words)
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { pointer, test } => match test {
                JsonTest::Equals(value) => write!(f, "json: {pointer} == {value}"),
                JsonTest::Differs(value) => write!(f, "json: {pointer} != {value}"),
                JsonTest::Contains(value) => write!(f, "json: {pointer} contains {value}"),
                JsonTest::Len(len) => write!(f, "json: {pointer} len {len}"),
                JsonTest::Absent => write!(f, "json: {pointer} absent"),
            },
            Self::Approx {
                pointer,
                value,
                tolerance,
            } => {
                write!(f, "approx: {pointer} == {value} +- {tolerance}")
            }
            Self::Code {
                code,
                line: Some(line),
            } => write!(f, "code: {code} line {line}"),
            Self::Code { code, line: None } => write!(f, "code: {code}"),
            Self::Stdout(text) => write!(f, "stdout: {text}"),
            Self::Stderr(text) => write!(f, "stderr: {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn runs(text: &str) -> Vec<Run> {
        match parse(text).unwrap() {
            Header::Runs(runs) => runs,
            Header::Part => panic!("not a part"),
        }
    }

    #[test]
    fn without_directives_a_model_is_checked() {
        let runs = runs("// a comment\nmodel A end A;\n//! exit: 7\n");
        assert_eq!(runs, [Run::new(vec!["check".into()], 1)]);
    }

    #[test]
    fn what_follows_a_run_belongs_to_it() {
        let runs = runs(
            "//! run: modes --format json --from \"g = false\"\n\
             //! json: /verdict == \"accepted\"\n\
             //! json: /classes len 2\n\
             \n\
             //! run: transitions\n\
             //! exit: 1\n\
             //! code: MS0001 line 3\n\
             //! approx: /right/w1 == 1.5 +- 1e-6\n\
             //! snapshot\n\
             model A end A;",
        );
        assert_eq!(
            runs[0].args,
            ["modes", "--format", "json", "--from", "g = false"]
        );
        let verdict = JsonTest::Equals(json!("accepted"));
        assert_eq!(
            runs[0].expectations[0],
            Expectation::Json {
                pointer: "/verdict".into(),
                test: verdict
            }
        );
        assert_eq!((runs[0].exit, runs[0].snapshot), (0, false));
        assert_eq!((runs[1].exit, runs[1].snapshot, runs[1].line), (1, true, 5));
        assert_eq!(
            runs[1].expectations,
            [
                Expectation::Code {
                    code: "MS0001".into(),
                    line: Some(3)
                },
                Expectation::Approx {
                    pointer: "/right/w1".into(),
                    value: 1.5,
                    tolerance: 1e-6
                },
            ]
        );
    }

    #[test]
    fn a_slip_in_a_directive_is_an_error_that_names_its_line() {
        for header in [
            "//! rnu: check",
            "//! json: verdict == 1",
            "//! json: /verdict = 1",
            "//! json: /verdict == accepted",
            "//! json: /verdict absent 3",
            "//! code: MS9999",
            "//! code: MS0001 at 3",
            "//! approx: /x == 1",
            "//! exit: one",
            "//! mend: here: x",
            "//! run: modes --from 'g",
            "//! run:",
            "//! stdout:",
            "//! some remark",
        ] {
            let error = parse(&format!("\n{header}\nmodel A end A;")).unwrap_err();
            assert!(error.starts_with("line 2: "), "{header}: {error}");
        }
    }

    #[test]
    fn mending_replaces_removes_and_inserts_lines() {
        let runs =
            runs("//! mend: 2: B\n//! mend: 3:\n//! mend: 3+: x\n//! mend: 3+: y\nmodel A end A;");
        assert_eq!(
            Mend::apply(&runs[0].mends, "a\nb\nc\nd\n"),
            "a\n B\n x\n y\nd\n"
        );
    }

    #[test]
    fn a_part_is_no_test() {
        assert_eq!(
            parse("//! part: of Library\nmodel A end A;"),
            Ok(Header::Part)
        );
    }
}
