//! Commands shown in the documentation, with what they print.
//!
//! A fenced block called `console` holds commands behind `$ ` and, below each, its output:
//!
//! ````text
//! ```console
//! $ modeshift parse test-models/parse/Outline.mo
//! 1 file, 28 lines, 2 classes: no errors
//! ```
//! ````
//!
//! A line `…` stands for any number of lines. [`rewritten`] gives the page with the outputs as they
//! are; where it differs from the page, the page lies.

/// Runs a command and gives all it printed.
pub type Runner<'r> = &'r mut dyn FnMut(&str) -> String;

const ELLIPSIS: &str = "…";

/// The page with the true output below every command; outputs that only leave something out at an
/// ellipsis stay as they are.
pub fn rewritten(page: &str, run: Runner<'_>) -> String {
    let mut lines = page.lines().peekable();
    let mut result = String::with_capacity(page.len());
    let mut fence: Option<&str> = None;
    while let Some(line) = lines.next() {
        push(&mut result, line);
        match fence {
            None if line.starts_with("```") => {
                let marks = line.len() - line.trim_start_matches('`').len();
                fence = Some(&line[..marks]);
                if line[marks..].trim() != "console" {
                    // Skip a block of another kind.
                    for line in lines.by_ref() {
                        push(&mut result, line);
                        if Some(line.trim_end()) == fence {
                            break;
                        }
                    }
                    fence = None;
                }
            }
            Some(marks) if line.trim_end() == marks => fence = None,
            Some(marks) => {
                let Some(command) = line.strip_prefix("$ ") else {
                    continue;
                };
                let mut shown = Vec::new();
                while let Some(line) =
                    lines.next_if(|line| !line.starts_with("$ ") && line.trim_end() != marks)
                {
                    shown.push(line);
                }
                let printed = run(command);
                let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
                let kept = if agrees(&shown, &printed) {
                    shown
                } else {
                    printed
                };
                kept.iter().for_each(|line| push(&mut result, line));
            }
            None => {}
        }
    }
    result
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Does `shown` tell what was printed, apart from what its ellipses leave out? Quadratic in the worst
/// case, on pages that people write.
fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == ELLIPSIS => {
            (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, more)| first == line && agrees(rest, more)),
    }
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    const PAGE: &str =
        "Text\n```console\n$ one\n1\n$ many\na\n…\nd\n```\n```text\n$ not run\n```\n";

    fn run(command: &str) -> String {
        match command {
            "one" => "1\n".into(),
            "many" => "a\nb\nc\nd\n".into(),
            other => panic!("{other} is not to be run"),
        }
    }

    #[test]
    fn a_page_that_tells_the_truth_stays_as_it_is() {
        assert_eq!(rewritten(PAGE, &mut run), PAGE);
    }

    #[test]
    fn a_lie_is_corrected() {
        let lie = PAGE.replace("\n1\n", "\n2\n").replace("…\nd", "…\ne");
        let truth = PAGE.replace("a\n…\nd", "a\nb\nc\nd");
        assert_eq!(rewritten(&lie, &mut run), truth);
    }
}
