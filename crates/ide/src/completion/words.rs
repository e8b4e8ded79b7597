//! Words and constructs of the language, by where they can stand.

pub(super) const TYPES: &[&str] = &["Real", "Integer", "Boolean", "String"];

pub(super) const PREFIXES: &[&str] = &[
    "parameter",
    "constant",
    "discrete",
    "input",
    "output",
    "flow",
    "stream",
    "inner",
    "outer",
    "replaceable",
    "redeclare",
    "final",
];

/// Where an element of a class begins, beside what begins a class.
pub(super) const ELEMENT: &[&str] = &[
    "equation",
    "algorithm",
    "initial",
    "public",
    "protected",
    "extends",
    "import",
    "annotation",
    "end",
    "external",
];

/// Outside of classes, beside what begins a class.
pub(super) const TOP: &[&str] = &["within", "final", "import"];

pub(super) const CLASS: &[&str] = &[
    "model",
    "block",
    "class",
    "connector",
    "expandable",
    "record",
    "function",
    "package",
    "type",
    "operator",
    "encapsulated",
    "partial",
    "pure",
    "impure",
];

pub(super) const MODIFIER: &[&str] = &["each", "final", "redeclare", "replaceable"];

pub(super) const EQUATION: &[&str] = &[
    "connect",
    "equation",
    "initial",
    "algorithm",
    "else",
    "elseif",
    "elsewhen",
    "end",
    "public",
    "protected",
    "annotation",
];

pub(super) const STATEMENT: &[&str] = &[
    "while",
    "break",
    "return",
    "equation",
    "initial",
    "algorithm",
    "else",
    "elseif",
    "elsewhen",
    "end",
    "external",
    "public",
    "protected",
    "annotation",
];

pub(super) const EXPRESSION: &[&str] = &[
    "if", "then", "else", "elseif", "and", "or", "not", "true", "false", "time", "for", "in",
    "loop", "end", "function",
];

/// A name, what it is, and the text with places to fill in.
pub(super) type Snippet = (&'static str, &'static str, &'static str);

const MODEL: &str = "model ${1:Name} \"${2:description}\"\n  $0\nequation\n\nend $1;";
const FUNCTION: &str = "function ${1:name} \"${2:description}\"\n  input Real ${3:u};\n  output Real ${4:y};\nalgorithm\n  $4 := $0;\nend $1;";
const IF: &str = "if ${1:condition} then\n  $2\nelse\n  $3\nend if;$0";
const WHEN: &str = "when ${1:condition} then\n  $0\nend when;";
const FOR: &str = "for ${1:i} in ${2:1:n} loop\n  $0\nend for;";

pub(super) const CLASS_SNIPPETS: &[Snippet] = &[
    ("model …", "a model with equations", MODEL),
    (
        "package …",
        "a package",
        "package ${1:Name} \"${2:description}\"\n  $0\nend $1;",
    ),
    ("function …", "a function", FUNCTION),
    (
        "connector …",
        "a connector with a potential and a flow",
        "connector ${1:Name}\n  ${2:Real} ${3:v};\n  flow ${4:Real} ${5:i};\nend $1;",
    ),
];

pub(super) const ELEMENT_SNIPPETS: &[Snippet] = &[
    (
        "parameter Real …",
        "a parameter",
        "parameter Real ${1:p} = ${2:1} \"${3:description}\";$0",
    ),
    (
        "Real … (start, fixed)",
        "a state with its initial value",
        "Real ${1:x}(start = ${2:0}, fixed = true) \"${3:description}\";$0",
    ),
    ("model …", "a model inside this class", MODEL),
    ("function …", "a function inside this class", FUNCTION),
];

pub(super) const EQUATION_SNIPPETS: &[Snippet] = &[
    ("connect …", "a connection", "connect(${1:a}, ${2:b});$0"),
    ("if …", "equations that depend on a condition", IF),
    ("when …", "equations at an event", WHEN),
    (
        "when … reinit",
        "a state gets a new value at an event",
        "when ${1:condition} then\n  reinit(${2:x}, ${3:0});\nend when;$0",
    ),
    ("for …", "equations for each element", FOR),
];

pub(super) const STATEMENT_SNIPPETS: &[Snippet] = &[
    ("if …", "statements that depend on a condition", IF),
    ("for …", "statements for each element", FOR),
    (
        "while …",
        "statements while a condition holds",
        "while ${1:condition} loop\n  $0\nend while;",
    ),
    ("when …", "statements at an event", WHEN),
];
