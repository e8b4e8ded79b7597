//! What is printed reads back as the same tree.

use crate::ast::MapSpans;
use crate::parse;

#[track_caller]
fn reads_back(text: &str) -> String {
    let mut first = parse(text);
    assert_eq!(first.errors, [], "{text}");
    let printed = first.file.to_string();
    let mut second = parse(&printed);
    assert_eq!(second.errors, [], "{printed}");
    first.file.erase_spans();
    second.file.erase_spans();
    assert_eq!(first.file, second.file, "{printed}");
    printed
}

#[test]
fn parentheses_stay_where_they_were() {
    let printed =
        reads_back("model A equation (a + b) * c ^ 2 = -(a - (b - c)) + 2 ^ (-1); end A;");
    assert!(printed.contains("(a + b) * "), "{printed}");
}
