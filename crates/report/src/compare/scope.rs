//! What names stand for in a flat text, as far as it decides which laws of arithmetic hold: numbers commute,
//! matrices do not under `*`, and texts do not under `+`.

use super::equalities::Aliases;
use super::read::unquoted;
use modeshift_base::FxHashMap;
use modeshift_syntax::ast::{
    BinaryOp, Causality, ClassBody, ClassDef, ClassSpec, ComponentRef, ElementKind, Expr, ExprKind,
    Subscript, UnaryOp, VariabilityPrefix,
};

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// One number.
    Number,
    /// An array of numbers.
    Numbers,
    /// A Boolean, a text, a record, or not known.
    Other,
}

/// Operators that give a number for numbers.
const ELEMENTARY: &[&str] = &[
    "der",
    "pre",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log10",
    "sqrt",
    "abs",
    "sign",
    "mod",
    "rem",
    "div",
    "floor",
    "ceil",
    "integer",
    "noEvent",
    "delay",
    "homotopy",
    "semiLinear",
    "$OMC$PositiveMax",
    "$OMC$inStreamDiv",
];

/// Names of a class, and the functions of the text.
pub(super) struct Scope<'t> {
    names: FxHashMap<String, (Shape, usize)>,
    functions: &'t FxHashMap<String, Shape>,
    /// Names to be replaced by others.
    pub aliases: Option<&'t Aliases>,
}

/// The shapes of what functions give.
pub(super) fn functions(classes: &[ClassDef]) -> FxHashMap<String, Shape> {
    let mut shapes = FxHashMap::default();
    for class in classes {
        let ClassSpec::Long(body) = &class.spec else {
            continue;
        };
        let outputs: Vec<(Shape, usize)> = components(body)
            .filter(|component| component.causality == Some(Causality::Output))
            .map(|component| component.shape)
            .collect();
        if let [(shape, dimensions)] = outputs[..] {
            let shape = if dimensions > 0 && shape == Shape::Number {
                Shape::Numbers
            } else {
                shape
            };
            shapes.insert(unquoted(class.name.name.as_str()), shape);
        }
    }
    shapes
}

/// A declared component of a flat class.
pub(super) struct Component<'t> {
    pub name: String,
    pub causality: Option<Causality>,
    pub variability: Option<VariabilityPrefix>,
    /// Of one element, and how many dimensions there are.
    pub shape: (Shape, usize),
    pub clause: &'t modeshift_syntax::ast::ComponentClause,
    pub declaration: &'t modeshift_syntax::ast::ComponentDecl,
    pub protected: bool,
}

/// All components of a class, in order.
pub(super) fn components(body: &ClassBody) -> impl Iterator<Item = Component<'_>> {
    body.elements.iter().flat_map(|element| {
        let clause = match &element.kind {
            ElementKind::Components(clause) => Some(&**clause),
            _ => None,
        };
        let declarations = clause
            .into_iter()
            .flat_map(|clause| clause.declarations.iter().map(move |d| (clause, d)));
        declarations.map(move |(clause, declaration)| {
            let dimensions = clause.dims.len() + declaration.dims.len();
            let shape = match clause.type_name.parts.last().map(|part| part.name.as_str()) {
                Some("Real" | "Integer") if clause.type_name.parts.len() == 1 => Shape::Number,
                _ => Shape::Other,
            };
            Component {
                name: unquoted(declaration.name.name.as_str()),
                causality: clause.type_prefix.causality,
                variability: clause.type_prefix.variability,
                shape: (shape, dimensions),
                clause,
                declaration,
                protected: element.protected,
            }
        })
    })
}

impl<'t> Scope<'t> {
    pub fn new(body: &ClassBody, functions: &'t FxHashMap<String, Shape>) -> Self {
        let names = components(body)
            .map(|component| (component.name, component.shape))
            .collect();
        Self {
            names,
            functions,
            aliases: None,
        }
    }

    /// The shape of an expression. Linear in its size.
    pub fn shape(&self, expr: &Expr) -> Shape {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Real(_) => Shape::Number,
            ExprKind::Ref(name) => self.shape_of_ref(name),
            ExprKind::Paren(inner) => self.shape(inner),
            ExprKind::Unary {
                op: UnaryOp::Plus | UnaryOp::Minus,
                operand,
            } => self.shape(operand),
            ExprKind::Binary { op, lhs, rhs } => self.shape_of_operation(*op, lhs, rhs),
            ExprKind::If { branches, else_ } => {
                let values = branches.iter().map(|(_, value)| value).chain([&**else_]);
                all_alike(values.map(|value| self.shape(value)))
            }
            ExprKind::Call { function, args } => {
                let name = plain_name(function);
                let arguments = || args.positional.iter().map(|value| self.shape(value));
                match name.as_str() {
                    "min" | "max" if args.positional.len() == 2 => all_alike(arguments()),
                    "smooth" => args
                        .positional
                        .last()
                        .map_or(Shape::Other, |value| self.shape(value)),
                    _ if ELEMENTARY.contains(&name.as_str()) => all_alike(arguments()),
                    _ => self.functions.get(&name).copied().unwrap_or(Shape::Other),
                }
            }
            _ => Shape::Other,
        }
    }

    fn shape_of_ref(&self, name: &ComponentRef) -> Shape {
        let text = ref_text(name);
        if text == "time" {
            return Shape::Number;
        }
        if let Some(&(shape, dimensions)) = self.names.get(&text) {
            return match (shape, dimensions) {
                (Shape::Number, 0) => Shape::Number,
                (Shape::Number, _) => Shape::Numbers,
                _ => Shape::Other,
            };
        }
        // An element of a declared array.
        let [part] = &name.parts[..] else {
            return Shape::Other;
        };
        let is_element = part
            .subscripts
            .iter()
            .all(|subscript| matches!(subscript, Subscript::Expr(_)));
        match self.names.get(part.name.as_str()) {
            Some(&(Shape::Number, dimensions))
                if is_element && dimensions == part.subscripts.len() =>
            {
                Shape::Number
            }
            _ => Shape::Other,
        }
    }

    fn shape_of_operation(&self, op: BinaryOp, lhs: &Expr, rhs: &Expr) -> Shape {
        let both = [self.shape(lhs), self.shape(rhs)];
        match op {
            BinaryOp::Add | BinaryOp::Sub => all_alike(both.into_iter()),
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow if both == [Shape::Number; 2] => {
                Shape::Number
            }
            _ => Shape::Other,
        }
    }
}

fn all_alike(shapes: impl Iterator<Item = Shape>) -> Shape {
    let mut common = None;
    for shape in shapes {
        match common {
            Some(other) if other != shape => return Shape::Other,
            _ => common = Some(shape),
        }
    }
    common.unwrap_or(Shape::Other)
}

/// `a.b` of a name without subscripts, quotes of compiler-made names taken off.
pub(super) fn plain_name(name: &ComponentRef) -> String {
    let parts: Vec<String> = name
        .parts
        .iter()
        .map(|part| unquoted(part.name.as_str()))
        .collect();
    parts.join(".")
}

/// `a[1].b` as it is declared, without blanks.
pub(super) fn ref_text(name: &ComponentRef) -> String {
    let mut text = String::new();
    for (i, part) in name.parts.iter().enumerate() {
        if i > 0 {
            text.push('.');
        }
        text.push_str(&unquoted(part.name.as_str()));
        if !part.subscripts.is_empty() {
            let subscripts: Vec<String> = part.subscripts.iter().map(ToString::to_string).collect();
            text.push('[');
            text.push_str(&subscripts.join(","));
            text.push(']');
        }
    }
    text
}
