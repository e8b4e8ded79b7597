//! Classes, their elements, and modifications.

use super::{Annotation, Comment, ComponentRef, Equation, Expr, Ident, Path, Statement, Subscript};
use modeshift_base::Span;

/// The restriction a class is declared with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClassKind {
    Class,
    Model,
    Record,
    OperatorRecord,
    Block,
    Connector,
    ExpandableConnector,
    Type,
    Package,
    /// `pure`/`impure` are in [`ClassDef::purity`].
    Function,
    OperatorFunction,
    Operator,
}

impl ClassKind {
    /// The words that declare it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Model => "model",
            Self::Record => "record",
            Self::OperatorRecord => "operator record",
            Self::Block => "block",
            Self::Connector => "connector",
            Self::ExpandableConnector => "expandable connector",
            Self::Type => "type",
            Self::Package => "package",
            Self::Function => "function",
            Self::OperatorFunction => "operator function",
            Self::Operator => "operator",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purity {
    Pure,
    Impure,
}

/// The prefixes an element or a class may have. Which make sense where is checked after parsing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ElementPrefixes {
    pub redeclare: bool,
    pub final_: bool,
    pub inner: bool,
    pub outer: bool,
    pub replaceable: bool,
}

/// A class definition, at the top level, as an element, or as a short redeclaration.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassDef {
    pub span: Span,
    pub kind: ClassKind,
    pub encapsulated: bool,
    pub partial: bool,
    pub purity: Option<Purity>,
    pub prefixes: ElementPrefixes,
    pub name: Ident,
    pub spec: ClassSpec,
    pub constrained_by: Option<Box<ConstrainedBy>>,
    /// The comment behind a short class or its constraining clause. A long class keeps its
    /// description and annotation here too.
    pub comment: Comment,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ClassSpec {
    /// `model A ... end A;`
    Long(Box<ClassBody>),
    /// `model extends A(...) ... end A;`
    Extends {
        modification: Vec<Argument>,
        body: Box<ClassBody>,
    },
    /// `type A = prefixes B[...](...)`
    Short(Box<ShortClass>),
    /// `type E = enumeration(a, b)`, or `enumeration(:)` when `literals` is `None`.
    Enumeration { literals: Option<Vec<EnumLiteral>> },
    /// `function fx = der(f, x, y)`
    Der { function: Path, wrt: Vec<Ident> },
    /// The parser could not make sense of it.
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ShortClass {
    pub type_prefix: TypePrefix,
    pub base: Path,
    pub dims: Vec<Subscript>,
    pub modification: Vec<Argument>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct EnumLiteral {
    pub name: Ident,
    pub comment: Comment,
}

/// What stands between a class header and its `end`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClassBody {
    pub elements: Vec<Element>,
    /// Equation and algorithm sections in the order of the text.
    pub sections: Vec<Section>,
    pub external: Option<Box<External>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    pub initial: bool,
    pub kind: SectionKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum SectionKind {
    Equations(Vec<Equation>),
    Algorithm(Vec<Statement>),
}

/// `external "C" y = f(x) annotation(...);`
#[derive(Clone, PartialEq, Debug)]
pub struct External {
    pub language: Option<super::Description>,
    pub output: Option<ComponentRef>,
    pub name: Option<Ident>,
    pub args: Vec<Expr>,
    pub annotation: Option<Box<Annotation>>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Element {
    pub kind: ElementKind,
    /// Declared in a `protected` section.
    pub protected: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ElementKind {
    Import(Box<Import>),
    Extends(Box<Extends>),
    Class(Box<ClassDef>),
    Components(Box<ComponentClause>),
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    pub path: Path,
    pub kind: ImportKind,
    pub comment: Comment,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ImportKind {
    /// `import A.B;`
    Qualified,
    /// `import C = A.B;`
    Renaming(Ident),
    /// `import A.B.*;`
    All,
    /// `import A.{B, C};`
    Names(Vec<Ident>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Extends {
    pub base: Path,
    pub modification: Vec<Argument>,
    pub annotation: Option<Box<Annotation>>,
}

/// `constrainedby T(...)`
#[derive(Clone, PartialEq, Debug)]
pub struct ConstrainedBy {
    pub base: Path,
    pub modification: Vec<Argument>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    Flow,
    Stream,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariabilityPrefix {
    Discrete,
    Parameter,
    Constant,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Causality {
    Input,
    Output,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TypePrefix {
    pub flow: Option<Flow>,
    pub variability: Option<VariabilityPrefix>,
    pub causality: Option<Causality>,
}

/// `prefixes Type[dims] a(...) = e if c "text", b;`
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentClause {
    pub prefixes: ElementPrefixes,
    pub type_prefix: TypePrefix,
    pub type_name: Path,
    pub dims: Vec<Subscript>,
    pub declarations: Vec<ComponentDecl>,
    pub constrained_by: Option<Box<ConstrainedBy>>,
    /// The comment behind the constraining clause.
    pub comment: Comment,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ComponentDecl {
    pub name: Ident,
    pub dims: Vec<Subscript>,
    pub modification: Option<Box<Modification>>,
    pub condition: Option<Expr>,
    pub comment: Comment,
    pub span: Span,
}

/// `(args) = binding`
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Modification {
    pub args: Vec<Argument>,
    pub binding: Option<Binding>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Binding {
    Expr(Expr),
    /// `= break` (Modelica 3.7): the inherited binding is removed.
    Break(Span),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    pub kind: ArgumentKind,
    pub each: bool,
    pub final_: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ArgumentKind {
    /// `a.b(...) = e "text"`
    Modify {
        target: Vec<Ident>,
        modification: Option<Box<Modification>>,
        comment: Comment,
    },
    /// `redeclare T x(...)` or `replaceable T x(...)`; prefixes are in the clause, one declaration.
    RedeclareComponent(Box<ComponentClause>),
    /// `redeclare model M = ...` or `replaceable model M = ...`
    RedeclareClass(Box<ClassDef>),
    /// `break x` (Modelica 3.7, selective extension)
    BreakComponent(Ident),
    /// `break connect(a, b)` (Modelica 3.7, selective extension)
    BreakConnect(ComponentRef, ComponentRef),
    Error,
}
