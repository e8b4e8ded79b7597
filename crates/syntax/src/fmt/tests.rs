//! Layout, comments, and the three laws: same tree, same comments, nothing to do the second time.

use crate::ast::MapSpans;
use crate::{format, parse};

#[track_caller]
fn formatted(text: &str) -> String {
    let once = format(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let (mut before, mut after) = (parse(text), parse(&once));
    assert_eq!(
        after.errors.iter().filter(|e| e.is_error()).count(),
        0,
        "{once}"
    );
    before.file.erase_spans();
    after.file.erase_spans();
    assert_eq!(before.file, after.file, "{once}");
    assert_eq!(format(&once).as_deref(), Ok(&*once));
    once
}

#[test]
fn every_statement_gets_its_line_and_indentation() {
    insta::assert_snapshot!(formatted(
        "within A.B; package P \"d\" model M extends Q( a=1,b (c=2)) ; Real x ; protected parameter Integer n=3 \"n\"; \
         equation if x>0 then der(x)=-x; elseif x<-1 then for i in 1:n loop y[i]=x; end for; else x=1; end if; \
         when sample(0,1) then reinit(x,0); end when; connect(a . b,c[1]) annotation (Line()); annotation(I());end M; end P;"
    ));
}

#[test]
fn brackets_stay_close_to_tight_operators() {
    let text = "x = w*(w*(k*u - y)/(2)^(n + 1))*[1]*{2} + (3) - f(a=(1), b=[2])[1:(n)] + .g(4);";
    let file = formatted(&format!("model M equation {text} end M;"));
    assert_eq!(file.lines().nth(2).map(str::trim), Some(text), "{file}");
}

#[test]
fn comments_stay_where_they_are() {
    insta::assert_snapshot!(formatted(
        "// top\n/* a */ model /* b */ M // c\n  // d\n  Real x /* e */ = /* f */ 1; // g\n\n\n  /* h\n     i */\n\
         equation // j\n    // k\n  x = 1 // l\n    + 2 // m\n  ; // n\n  // o\nend M; // p\n// q\n"
    ));
}

#[test]
fn line_breaks_inside_a_statement_stay_and_blank_lines_are_few() {
    insta::assert_snapshot!(formatted(
        "model M\n\n\n\n  Real t[:, :] = [0, 1;\n     1, 2;\n\n\n\n   2, 3]\n    \"a table\";\n  A a(\n  b=1,\n    c(d=2,\n e=3\n))\n\
         annotation(Placement(\n    transformation(extent={{-10,-10},{10,10}})));\nend M;"
    ));
}

#[test]
fn long_lines_break_at_their_outermost_places() {
    let arguments: Vec<String> = (0..20)
        .map(|i| format!("argument{i} = f(x[{i}], y[{i}])"))
        .collect();
    let sum: Vec<String> = (0..30).map(|i| format!("term{i}*factor{i}")).collect();
    let text = format!(
        "model M A a({}) \"a description\" annotation(Dialog(group=\"g\")); equation x = {}; end M;",
        arguments.join(","),
        sum.join("+")
    );
    let text = formatted(&text);
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn words_never_grow_together() {
    let text = formatted(
        "model M equation x = 1 .* y; z = 1 ./ y .^ 2; a = b - (-c); d = not e and f; end M;",
    );
    assert!(
        text.contains("1 .* y") && text.contains("1 ./ y .^ 2") && text.contains("b - (-c)"),
        "{text}"
    );
}

#[test]
fn signs_cling_to_their_operand() {
    let text = formatted(
        "model M equation x = - 1 + { - 2 , + y }; z = if a then - 1 else - b; w = 1 : - 1 : 0; end M;",
    );
    assert!(
        text.contains("-1 + {-2, +y}")
            && text.contains("then -1 else -b")
            && text.contains("1:-1:0"),
        "{text}"
    );
}

#[test]
fn line_ends_follow_the_text() {
    assert_eq!(formatted("model M\r\nend M;\r\n"), "model M\r\nend M;\r\n");
    assert_eq!(formatted("model M\nend M;"), "model M\nend M;\n");
    assert_eq!(formatted(""), "");
}

#[test]
fn a_text_with_mistakes_is_left_alone() {
    assert!(format("model M Real x end M;").is_err());
}
