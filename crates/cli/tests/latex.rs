//! What `modeshift transitions --format latex` prints is LaTeX: checked without a TeX installation.

use std::path::Path;
use std::process::Command;

/// The commands and environments that the output may use.
const COMMANDS: [&str; 18] = [
    "paragraph",
    "begin",
    "end",
    "mathit",
    "dot",
    "ddot",
    "downarrow",
    "bullet",
    "to",
    "text",
    "textless",
    "textgreater",
    "textbackslash",
    "textasciicircum",
    "textasciitilde",
    "backslash",
    "wedge",
    "sim",
];

/// Complaints about a text: braces that do not match, unknown commands, characters that TeX takes amiss.
fn complaints(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut depth = 0_i32;
    let mut formula = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let mut name = String::new();
                while let Some(letter) = chars.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                if name.is_empty() {
                    let escaped = chars.next();
                    if !escaped.is_some_and(|c| "_&%#${}\\,".contains(c)) {
                        list.push(format!("`\\{escaped:?}`"));
                    }
                } else if !COMMANDS.contains(&name.as_str()) {
                    list.push(format!("unknown command \\{name}"));
                }
                formula |= name == "begin";
                formula &= name != "end";
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            '^' | '&' if !formula => list.push(format!("bare `{c}`")),
            '_' | '%' | '#' | '~' => list.push(format!("bare `{c}`")),
            c if !c.is_ascii() => list.push(format!("`{c}` needs a package")),
            _ => {}
        }
        if depth < 0 {
            list.push("a `}` too many".to_owned());
            depth = 0;
        }
    }
    if depth != 0 {
        list.push("braces do not match".to_owned());
    }
    list
}

fn printed(model: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(["transitions", "--format", "latex"])
        .arg(model)
        .env_remove("MODELICAPATH")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn restart_systems_are_latex() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models");
    let models = [
        "transitions/CupAndBall.mo",
        "transitions/MotorAndLoad.mo",
        "transitions/BouncingBall.mo",
        "multimode/CollidingMasses.mo",
        "multimode/PendulumCatches.mo",
        "multimode/QuadraticImpulse.mo",
        "multimode/InterruptedTransformer.mo",
    ];
    for model in models {
        let text = printed(&root.join(model));
        assert!(text.contains("\\begin{align*}"), "{model}: {text}");
        assert_eq!(complaints(&text), Vec::<String>::new(), "{model}: {text}");
    }
}

#[test]
fn the_check_notices_what_is_no_latex() {
    for wrong in ["{", "\\foo", "a_b", "x → y", "a^b", "\\text{a}}"] {
        assert!(!complaints(wrong).is_empty(), "{wrong}");
    }
}
