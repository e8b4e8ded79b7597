//! Random trees without places, for the law that printing and reading are inverse.

use modeshift_base::{Name, Span};
use modeshift_syntax::ast::*;
use proptest::prelude::*;

/// Words from which noise is made that comes close to Modelica.
pub const WORDS: &[&str] = &[
    "model",
    "A",
    "end",
    "A;",
    "x",
    "=",
    "1",
    ";",
    "equation",
    "algorithm",
    "if",
    "then",
    "else",
    "elseif",
    "for",
    "in",
    "loop",
    "when",
    "while",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    ":",
    ":=",
    "+",
    "-",
    "*",
    "not",
    "and",
    "\"s\"",
    "'q'",
    "Real",
    "parameter",
    "annotation",
    "extends",
    "import",
    "public",
    "connect",
    "der",
    "initial",
    "function",
    "redeclare",
    "replaceable",
    "constrainedby",
    "each",
    "final",
    "within",
    "external",
    "type",
    "enumeration",
    "//c\n",
    "/*c*/",
    "\n",
];

fn ident() -> impl Strategy<Value = Ident> {
    prop::sample::select(&["a", "b", "x1", "'q r'", "_z"][..]).prop_map(|text| Ident {
        name: Name::new(text),
        span: Span::default(),
    })
}

fn part() -> impl Strategy<Value = RefPart> {
    ident().prop_map(|ident| RefPart {
        name: ident.name,
        subscripts: Vec::new(),
        span: Span::default(),
    })
}

fn reference() -> impl Strategy<Value = ComponentRef> {
    (any::<bool>(), prop::collection::vec(part(), 1..3)).prop_map(|(global, parts)| ComponentRef {
        global,
        parts,
        span: Span::default(),
    })
}

fn at(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

const BINARY: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Pow,
    BinaryOp::ElementAdd,
    BinaryOp::ElementSub,
    BinaryOp::ElementMul,
    BinaryOp::ElementDiv,
    BinaryOp::ElementPow,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
];

const UNARY: [UnaryOp; 5] = [
    UnaryOp::Plus,
    UnaryOp::Minus,
    UnaryOp::ElementPlus,
    UnaryOp::ElementMinus,
    UnaryOp::Not,
];

/// Wraps what the grammar only reads in parentheses, as a reader would have it in the tree.
fn operand(expr: Expr) -> Box<Expr> {
    match expr.kind {
        ExprKind::Binary { .. }
        | ExprKind::Unary { .. }
        | ExprKind::If { .. }
        | ExprKind::Range { .. } => Box::new(at(ExprKind::Paren(Box::new(expr)))),
        _ => Box::new(expr),
    }
}

fn args(inner: impl Strategy<Value = Expr> + Clone) -> impl Strategy<Value = Box<Args>> {
    let named = (ident(), inner.clone()).prop_map(|(name, value)| NamedArg { name, value });
    (
        prop::collection::vec(inner, 0..3),
        prop::collection::vec(named, 0..2),
    )
        .prop_map(|(positional, named)| {
            Box::new(Args {
                positional,
                named,
                iterators: Vec::new(),
                span: Span::default(),
            })
        })
}

pub fn expr() -> impl Strategy<Value = Expr> + Clone {
    let leaf = prop_oneof![
        (0..i64::MAX).prop_map(|value| at(ExprKind::Int(value))),
        (0.0..1e300f64).prop_map(|value| at(ExprKind::Real(value))),
        "[ -~\n\t\\\\\"]{0,8}".prop_map(|text| at(ExprKind::Str(text.into()))),
        any::<bool>().prop_map(|value| at(ExprKind::Bool(value))),
        reference().prop_map(|reference| at(ExprKind::Ref(reference))),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let binary = (
            prop::sample::select(&BINARY[..]),
            inner.clone(),
            inner.clone(),
        );
        let branches = prop::collection::vec((inner.clone(), inner.clone()), 1..3);
        prop_oneof![
            binary.prop_map(|(op, a, b)| at(ExprKind::Binary {
                op,
                lhs: operand(a),
                rhs: operand(b)
            })),
            (prop::sample::select(&UNARY[..]), inner.clone()).prop_map(|(op, operand_)| at(
                ExprKind::Unary {
                    op,
                    operand: operand(operand_)
                }
            )),
            (branches, inner.clone()).prop_map(|(branches, else_)| at(ExprKind::If {
                branches,
                else_: Box::new(else_)
            })),
            (
                inner.clone(),
                prop::option::of(inner.clone()),
                inner.clone()
            )
                .prop_map(|(start, step, stop)| {
                    at(ExprKind::Range {
                        start: operand(start),
                        step: step.map(operand),
                        stop: operand(stop),
                    })
                }),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| at(ExprKind::Array(items))),
            prop::collection::vec(prop::collection::vec(inner.clone(), 1..3), 1..3)
                .prop_map(|rows| at(ExprKind::Matrix(rows))),
            prop::collection::vec(prop::option::of(inner.clone()), 2..4)
                .prop_map(|items| at(ExprKind::Tuple(items))),
            (reference(), args(inner.clone()))
                .prop_map(|(function, args)| at(ExprKind::Call { function, args })),
            (inner.clone(), ident(), inner).prop_map(|(body, name, range)| {
                at(ExprKind::Comprehension {
                    body: Box::new(body),
                    iterators: vec![Iterator {
                        name,
                        range: Some(range),
                    }],
                })
            }),
        ]
    })
}

fn equation() -> impl Strategy<Value = Equation> {
    let simple = prop_oneof![
        (expr(), expr()).prop_map(|(lhs, rhs)| EquationKind::Equality {
            lhs: *operand(lhs),
            rhs
        }),
        (reference(), reference()).prop_map(|(from, to)| EquationKind::Connect { from, to }),
        (reference(), args(expr())).prop_map(|(function, args)| EquationKind::Call {
            function,
            args: *args
        }),
    ];
    let done = |kind| Equation {
        kind,
        comment: Comment::default(),
        span: Span::default(),
    };
    simple
        .prop_map(done)
        .prop_recursive(3, 12, 3, move |inner| {
            let body = prop::collection::vec(inner, 0..3);
            let branch =
                (expr(), body.clone()).prop_map(|(condition, body)| Branch { condition, body });
            let branches = prop::collection::vec(branch, 1..3);
            prop_oneof![
                (branches.clone(), prop::option::of(body.clone()))
                    .prop_map(|(branches, else_)| EquationKind::If { branches, else_ }),
                branches.prop_map(|branches| EquationKind::When { branches }),
                (ident(), expr(), body).prop_map(|(name, range, body)| EquationKind::For {
                    iterators: vec![Iterator {
                        name,
                        range: Some(range)
                    }],
                    body
                }),
            ]
            .prop_map(done)
        })
}

/// A model with components and equations.
pub fn class() -> impl Strategy<Value = ClassDef> {
    let component = (ident(), prop::option::of(expr())).prop_map(|(name, value)| {
        let modification = value.map(|value| {
            let binding = Some(Binding::Expr(value));
            Box::new(Modification {
                args: Vec::new(),
                binding,
                span: Span::default(),
            })
        });
        let declaration = ComponentDecl {
            name,
            dims: Vec::new(),
            modification,
            condition: None,
            comment: Comment::default(),
            span: Span::default(),
        };
        let real = Ident {
            name: Name::new("Real"),
            span: Span::default(),
        };
        let clause = ComponentClause {
            prefixes: ElementPrefixes::default(),
            type_prefix: TypePrefix::default(),
            type_name: Path {
                global: false,
                parts: vec![real],
                span: Span::default(),
            },
            dims: Vec::new(),
            declarations: vec![declaration],
            constrained_by: None,
            comment: Comment::default(),
        };
        let kind = ElementKind::Components(Box::new(clause));
        Element {
            kind,
            protected: false,
            span: Span::default(),
        }
    });
    (
        ident(),
        prop::collection::vec(component, 0..4),
        prop::collection::vec(equation(), 0..4),
    )
        .prop_map(|(name, elements, equations)| {
            let kind = SectionKind::Equations(equations);
            let section = Section {
                initial: false,
                kind,
                span: Span::default(),
            };
            let body = ClassBody {
                elements,
                sections: vec![section],
                external: None,
            };
            ClassDef {
                span: Span::default(),
                kind: ClassKind::Model,
                encapsulated: false,
                partial: false,
                purity: None,
                prefixes: ElementPrefixes::default(),
                name,
                spec: ClassSpec::Long(Box::new(body)),
                constrained_by: None,
                comment: Comment::default(),
            }
        })
}
