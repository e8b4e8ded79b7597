//! What authors wrote about their classes: `annotation(Documentation(info = "<html>…</html>"))`, as Markdown.

use modeshift_db::{Db, parse};
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{
    Argument, ArgumentKind, BinaryOp, Binding, ClassDef, ClassSpec, ElementKind, Expr, ExprKind,
    Modification,
};

/// Longer texts are cut at the end of a paragraph.
const MAX_LENGTH: usize = 1500;

/// The documentation of a class, if it has any.
pub(crate) fn documentation(db: &dyn Db, id: ClassId) -> Option<String> {
    let def = definition(db, id)?;
    let arguments = &def.comment.annotation.as_ref()?.args;
    let documentation = modification(arguments, "Documentation")?;
    let Some(Binding::Expr(info)) = &modification(&documentation.args, "info")?.binding else {
        return None;
    };
    let mut html = String::new();
    collect(info, &mut html);
    let text = markdown(&html);
    (!text.is_empty()).then_some(text)
}

/// The definition of a class in the tree of its file. O(classes beside it).
pub(crate) fn definition(db: &dyn Db, id: ClassId) -> Option<&ClassDef> {
    let is_it = |def: &&ClassDef| def.name.name == id.name(db);
    let nth = id.nth(db) as usize;
    match id.parent(db) {
        None => {
            let classes = &parse(db, id.file(db)).file.classes;
            classes.iter().filter(is_it).nth(nth)
        }
        Some(parent) => match &definition(db, parent)?.spec {
            ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => body
                .elements
                .iter()
                .filter_map(|element| match &element.kind {
                    ElementKind::Class(class) => Some(&**class),
                    _ => None,
                })
                .filter(is_it)
                .nth(nth),
            _ => None,
        },
    }
}

fn modification<'a>(arguments: &'a [Argument], name: &str) -> Option<&'a Modification> {
    arguments.iter().find_map(|argument| match &argument.kind {
        ArgumentKind::Modify {
            target,
            modification: Some(modification),
            ..
        } if matches!(target.as_slice(), [only] if only.name.as_str() == name) => {
            Some(&**modification)
        }
        _ => None,
    })
}

/// Texts may be joined with `+`.
fn collect(expr: &Expr, into: &mut String) {
    match &expr.kind {
        ExprKind::Str(text) => into.push_str(text),
        ExprKind::Binary {
            op: BinaryOp::Add,
            lhs,
            rhs,
        } => {
            collect(lhs, into);
            collect(rhs, into);
        }
        _ => {}
    }
}

/// HTML as Markdown: paragraphs, lists, emphasis and code; links keep their words, pictures go. O(length).
fn markdown(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    let mut verbatim = false;
    while !rest.is_empty() {
        let (words, tag) = match rest.split_once('<') {
            Some((words, behind)) => match behind.split_once('>') {
                Some((tag, behind)) => {
                    rest = behind;
                    (words, tag)
                }
                None => {
                    rest = "";
                    (words, "")
                }
            },
            None => (std::mem::take(&mut rest), ""),
        };
        push_words(words, verbatim, &mut text);
        let name = tag
            .split(|c: char| c.is_whitespace() || c == '/' && !tag.starts_with('/'))
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match name.as_str() {
            "p" | "/p" | "div" | "/div" | "br" | "table" | "/table" | "ul" | "/ul" | "ol"
            | "/ol" | "/li" | "/tr" | "blockquote" | "/blockquote" => end_line(&mut text),
            "h1" | "h2" | "h3" | "h4" | "h5" => {
                end_line(&mut text);
                text.push_str("**");
            }
            "/h1" | "/h2" | "/h3" | "/h4" | "/h5" => {
                text.push_str("**");
                end_line(&mut text);
            }
            "li" => {
                end_line(&mut text);
                text.push_str("- ");
            }
            "td" | "th" => text.push(' '),
            "b" | "/b" | "strong" | "/strong" => text.push_str("**"),
            "em" | "/em" | "i" | "/i" => text.push('*'),
            "code" | "/code" | "tt" | "/tt" if !verbatim => text.push('`'),
            "pre" => {
                end_line(&mut text);
                text.push_str("```\n");
                verbatim = true;
            }
            "/pre" => {
                text.push_str("\n```");
                end_line(&mut text);
                verbatim = false;
            }
            _ => {}
        }
    }
    cut(text.trim(), verbatim)
}

fn push_words(words: &str, verbatim: bool, text: &mut String) {
    let words = words
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    if verbatim {
        text.push_str(&words);
        return;
    }
    let blank = |text: &str| text.is_empty() || text.ends_with([' ', '\n']);
    if words.starts_with(char::is_whitespace) && !blank(text) {
        text.push(' ');
    }
    text.push_str(&words.split_whitespace().collect::<Vec<_>>().join(" "));
    if words.ends_with(char::is_whitespace) && !blank(text) {
        text.push(' ');
    }
}

/// Ends a paragraph or item; empty ones leave nothing.
fn end_line(text: &mut String) {
    let kept = text.trim_end_matches([' ', '\n']).len();
    text.truncate(kept);
    if kept > 0 {
        text.push_str("\n\n");
    }
}

fn cut(text: &str, verbatim: bool) -> String {
    if text.len() <= MAX_LENGTH {
        return match verbatim {
            true => format!("{text}\n```"),
            false => text.to_owned(),
        };
    }
    let end = (0..=MAX_LENGTH)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    let end = text[..end].rfind("\n\n").unwrap_or(end);
    let kept = &text[..end];
    // A block of code is closed where it is cut.
    match kept.matches("```").count() % 2 {
        0 => format!("{kept}\n\n…"),
        _ => format!("{kept}\n```\n\n…"),
    }
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn html_becomes_markdown() {
        let html = "<html>\n<p>A <b>gear</b> with\n <code>ratio</code> &gt; 1.</p>\n<h4>Use</h4>\
            <ul>\n<li>one</li>\n<li>two</li></ul>\n<pre>a = 1;\nb = 2;</pre><img src=\"x.png\"/></html>";
        assert_eq!(
            markdown(html),
            "A **gear** with `ratio` > 1.\n\n**Use**\n\n- one\n\n- two\n\n```\na = 1;\nb = 2;\n```"
        );
        assert_eq!(markdown("plain text < 3"), "plain text");
        assert_eq!(markdown(""), "");
    }

    #[test]
    fn long_texts_are_cut_between_paragraphs() {
        let html = "<p>word word word word word</p>".repeat(200);
        let text = markdown(&html);
        assert!(text.len() < 1600 && text.ends_with("word\n\n…"), "{text}");
    }
}
