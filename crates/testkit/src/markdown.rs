//! Pages of `docs/diagnostics`: their title and the examples in them.

use crate::directives;

/// A page `MSnnnn.md`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    pub code: String,
    pub title: String,
    pub examples: Vec<Example>,
}

/// A fenced block of Modelica that runs as a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// `fails` rather than `passes`.
    pub fails: bool,
    /// The command and its flags; the file comes behind the first word.
    pub command: Vec<String>,
    pub text: String,
    /// The line of the opening fence.
    pub line: usize,
}

/// Reads a page. An error says what is wrong with it.
pub fn parse_page(text: &str) -> Result<Page, String> {
    let heading = text.lines().next().unwrap_or_default();
    let (code, title) = heading
        .strip_prefix("# ")
        .and_then(|heading| heading.split_once(": "))
        .ok_or_else(|| format!("a page begins with `# CODE: title`, not with `{heading}`"))?;
    let mut examples = Vec::new();
    let mut open: Option<(String, Option<Example>)> = None;
    for (i, line) in text.lines().enumerate() {
        match &mut open {
            None => {
                let fence: String = line.chars().take_while(|char| *char == '`').collect();
                if fence.len() >= 3 {
                    let info = line[fence.len()..].trim();
                    let example =
                        example(info, i + 1).map_err(|e| format!("line {}: {e}", i + 1))?;
                    open = Some((fence, example));
                }
            }
            Some((fence, _)) if line.trim_end() == fence => {
                examples.extend(open.take().and_then(|(_, example)| example));
            }
            Some((_, Some(example))) => {
                example.text.push_str(line);
                example.text.push('\n');
            }
            Some((_, None)) => {}
        }
    }
    if open.is_some() {
        return Err("a fence is not closed".into());
    }
    Ok(Page {
        code: code.into(),
        title: title.into(),
        examples,
    })
}

/// Reads an info string such as `modelica fails command="modes --format json"`; blocks in other
/// languages, and `modelica` alone, are text.
fn example(info: &str, line: usize) -> Result<Option<Example>, String> {
    let words = if info.is_empty() {
        Vec::new()
    } else {
        directives::split(info)?
    };
    let [language, expectation, rest @ ..] = &words[..] else {
        return Ok(None);
    };
    if language != "modelica" {
        return Ok(None);
    }
    let fails = match expectation.as_str() {
        "fails" => true,
        "passes" => false,
        // Only have to parse, which the test `book` sees to.
        "equations" | "parses" => return Ok(None),
        other => return Err(format!("expected `fails` or `passes`, found `{other}`")),
    };
    let command = match rest {
        [] => vec!["check".into()],
        [option] => {
            let command = option
                .strip_prefix("command=")
                .ok_or_else(|| format!("expected `command=\"…\"`, found `{option}`"))?;
            directives::split(command)?
        }
        _ => {
            return Err(format!(
                "expected one `command=\"…\"`, found `{}`",
                rest.join(" ")
            ));
        }
    };
    Ok(Some(Example {
        fails,
        command,
        text: String::new(),
        line,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_found_with_their_commands() {
        let page = parse_page(
            "# MS0002: A `;` is missing\n\nProse.\n\n```modelica fails\nmodel A\n```\n\
             ```text\nno example\n```\n\
             ```modelica passes command=\"transitions --from g=false\"\nmodel B\n```\n",
        )
        .unwrap();
        assert_eq!(
            (page.code.as_str(), page.title.as_str()),
            ("MS0002", "A `;` is missing")
        );
        assert_eq!(page.examples.len(), 2);
        assert_eq!(page.examples[0].command, ["check"]);
        assert_eq!((page.examples[0].fails, page.examples[0].line), (true, 5));
        assert_eq!(
            page.examples[1].command,
            ["transitions", "--from", "g=false"]
        );
        assert_eq!(
            (page.examples[1].fails, page.examples[1].text.as_str()),
            (false, "model B\n")
        );
    }

    #[test]
    fn a_slip_in_a_page_is_an_error() {
        for page in [
            "MS0002: no heading",
            "# MS0002 without a colon",
            "# MS0002: t\n```modelica failz\n```",
            "# MS0002: t\n```modelica fails comand=x\n```",
            "# MS0002: t\n```modelica fails\n",
        ] {
            assert!(parse_page(page).is_err(), "{page}");
        }
    }
}
