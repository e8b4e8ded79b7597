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

/// A fenced block of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block<'p> {
    /// What stands behind the opening fence: the language, and how the block is tested.
    pub info: &'p str,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    pub text: String,
}

/// The fenced blocks of a page; one that is not closed reaches to its end.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut fence: Option<&str> = None;
    for (i, line) in page.lines().enumerate() {
        match fence {
            Some(marks) if line.trim() == marks => fence = None,
            Some(_) => {
                if let Some(block) = blocks.last_mut() {
                    push(&mut block.text, line);
                }
            }
            None => {
                let start = line.trim_start();
                let marks = start.len() - start.trim_start_matches('`').len();
                if marks >= 3 {
                    fence = Some(&start[..marks]);
                    blocks.push(Block {
                        info: start[marks..].trim(),
                        line: i + 1,
                        text: String::new(),
                    });
                }
            }
        }
    }
    blocks
}

/// Lines that CommonMark takes for code because they are indented behind a blank line, outside of lists: blocks that
/// nobody says how to test.
pub fn indented_code(page: &str) -> Vec<usize> {
    let (mut found, mut in_fence, mut in_list, mut blank) = (Vec::new(), false, false, true);
    for (i, line) in page.lines().enumerate() {
        let start = line.trim_start();
        if start.starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            let flush = !line.starts_with(' ') && !start.is_empty();
            let item = start.starts_with(['-', '*'])
                || start
                    .split_once(". ")
                    .is_some_and(|(n, _)| n.parse::<u32>().is_ok());
            in_list = item || in_list && !flush;
            if blank && !in_list && line.starts_with("    ") && !start.is_empty() {
                found.push(i + 1);
            }
        }
        blank = start.is_empty();
    }
    found
}

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
    use super::{blocks, indented_code, rewritten};

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
    fn blocks_have_their_info_and_place() {
        let found = blocks("Text\n```sh not-run: slow\nmake\n```\n  ````\n```\n````\n");
        let found: Vec<_> = found
            .iter()
            .map(|b| (b.info, b.line, b.text.as_str()))
            .collect();
        assert_eq!(found, [("sh not-run: slow", 2, "make\n"), ("", 5, "```\n")]);
    }

    #[test]
    fn indented_code_is_found_outside_of_lists() {
        let page =
            "Text\n    goes on\n\n    code\n\n- item\n\n    more of it\n\nText\n\n    code\n";
        assert_eq!(indented_code(page), [4, 12]);
    }

    #[test]
    fn a_lie_is_corrected() {
        let lie = PAGE.replace("\n1\n", "\n2\n").replace("…\nd", "…\ne");
        let truth = PAGE.replace("a\n…\nd", "a\nb\nc\nd");
        assert_eq!(rewritten(&lie, &mut run), truth);
    }
}
