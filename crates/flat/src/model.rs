//! The flat model: scalar variables, equations over them, functions. Everything after flattening sees
//! only this.

use modeshift_base::{Idx, IndexVec, Name, Shared};
use modeshift_inst::exp::{Exp, Subscript};
use modeshift_inst::tree::{Hints, NativeCode};
use modeshift_inst::ty::{Causality, Dim, EnumType, Type, Variability};
use std::sync::Arc;

pub type VarId = Idx<Variable>;
pub type GroupId = Idx<Group>;
pub type FlatExp = Exp<FlatRef>;
/// How places in the source are told from here on. Analyses pass it through untouched and emit
/// `Diagnostic<Place>`; only the driver turns it into file, line and column.
pub type Place = modeshift_inst::tree::Place;

/// How the flat model names a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum FlatRef {
    /// One scalar variable.
    Var(VarId),
    /// A whole array, slice or record of variables that stays together (arguments of functions,
    /// equations with array-valued calls, record equations).
    Group(GroupId),
    /// A variable inside a function, possibly with fields and subscripts that are not constant.
    Local(Arc<LocalRef>),
    /// An element of a group chosen at run time: `x[i]` in an algorithm.
    Element(GroupId, Vec<Subscript<FlatRef>>),
}

/// `a.b[i]` inside a function.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalRef {
    pub parts: Vec<(Name, Vec<Subscript<FlatRef>>)>,
    pub ty: Type,
}

/// Variables that are referred to together. `members` in row-major order, fields in order of declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// As printed: `a[1].x`, `r`.
    pub name: Arc<str>,
    pub ty: Type,
    pub members: Vec<VarId>,
    /// Length of the part of `name` that names a component; record fields and subscripts follow it.
    pub stem: u32,
    /// Where the subscripts of [`FlatRef::Element`] go; at the end when empty.
    pub marks: Vec<Mark>,
}

/// Open dimensions of a group: in `a.x` with `a` an array, the subscript belongs behind `a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Byte offset in the group's name.
    pub at: u32,
    pub dimensions: u32,
}

/// Where a variable or equation comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The declaration or equation in the source. For an equation made by the compiler (connections),
    /// the first `connect` that made it.
    pub span: Place,
    /// Further places: the other `connect` equations of a set, the modifier that gave a binding.
    pub also: Vec<Place>,
    /// The instance whose class body it stands in: `motor.gear`, empty for the model itself.
    pub instance: Arc<str>,
    pub kind: OriginKind,
    /// A description that is printed behind the equation.
    pub comment: Option<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OriginKind {
    Declaration,
    /// A binding `Real x = e` seen as an equation.
    Binding,
    Equation,
    Algorithm,
    Connection,
    /// A flow that nothing is connected to.
    UnconnectedFlow,
}

/// One scalar variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// As printed: `a[1].x[2]`.
    pub name: Arc<str>,
    /// Length of the part of `name` that names a component; record fields and the subscripts of an
    /// array of variables follow it.
    pub stem: u32,
    /// Never an array or a record.
    pub ty: Type,
    pub variability: Variability,
    /// Declared with the prefix `discrete`.
    pub discrete: bool,
    pub causality: Option<Causality>,
    pub flow: bool,
    pub protected: bool,
    pub final_: bool,
    /// In the order quantity, unit, displayUnit, min, max, start, fixed, nominal, stateSelect.
    pub attributes: Vec<Attribute>,
    pub binding: Option<FlatExp>,
    pub comment: Option<Arc<str>>,
    pub origin: Arc<Origin>,
}

impl Variable {
    /// The attribute `unit`, where it is a text that is not empty.
    pub fn unit(&self) -> Option<&str> {
        let attribute = self
            .attributes
            .iter()
            .find(|it| it.name.as_str() == "unit")?;
        match &attribute.value {
            FlatExp::Str(unit) if !unit.is_empty() => Some(unit),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    pub name: Name,
    pub value: FlatExp,
    pub final_: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    pub kind: EquationKind,
    pub origin: Arc<Origin>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EquationKind {
    /// Scalar unless it contains an array- or record-valued call.
    Equality {
        lhs: FlatExp,
        rhs: FlatExp,
        ty: Type,
    },
    If {
        branches: Vec<(FlatExp, Vec<Equation>)>,
        else_: Vec<Equation>,
    },
    When {
        branches: Vec<(FlatExp, Vec<Equation>)>,
    },
    /// Only where it could not be unrolled.
    For {
        iterator: Name,
        range: FlatExp,
        body: Vec<Equation>,
    },
    Assert {
        condition: FlatExp,
        message: FlatExp,
        level: FlatExp,
    },
    Terminate {
        message: FlatExp,
    },
    Reinit {
        variable: FlatExp,
        value: FlatExp,
    },
    /// A call without result.
    Call(FlatExp),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Algorithm {
    pub statements: Vec<Statement>,
    pub origin: Arc<Origin>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub origin: Arc<Origin>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    Assign {
        target: FlatExp,
        value: FlatExp,
        ty: Type,
    },
    If {
        branches: Vec<(FlatExp, Vec<Statement>)>,
        else_: Vec<Statement>,
    },
    For {
        iterator: Name,
        range: Option<FlatExp>,
        body: Vec<Statement>,
    },
    While {
        condition: FlatExp,
        body: Vec<Statement>,
    },
    When {
        branches: Vec<(FlatExp, Vec<Statement>)>,
    },
    Assert {
        condition: FlatExp,
        message: FlatExp,
        level: FlatExp,
    },
    Terminate {
        message: FlatExp,
    },
    Reinit {
        variable: FlatExp,
        value: FlatExp,
    },
    Call(FlatExp),
    Break,
    Return,
}

/// A flat model. Sections keep the order OpenModelica prints them in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FlatModel {
    /// Fully qualified name of the class.
    pub name: Arc<str>,
    pub comment: Option<Arc<str>>,
    pub variables: Shared<IndexVec<Variable>>,
    pub groups: IndexVec<Group>,
    pub initial_equations: Vec<Equation>,
    pub initial_algorithms: Vec<Algorithm>,
    pub equations: Vec<Equation>,
    pub algorithms: Vec<Algorithm>,
    /// Functions that are used, sorted by full name.
    pub functions: Vec<Function>,
    /// Arrays and records as declared; only where arrays are kept.
    pub declarations: Vec<Declaration>,
    /// In the shape of OpenModelica's first frontend.
    pub classic: bool,
    /// Variables declared `inner outer`, each with the variable farther out that it passes on.
    pub inner_outer: Vec<(VarId, VarId)>,
    /// References and equations in which constants and parameters with a unit were replaced by their values.
    pub unit_values: Vec<Place>,
}

/// A component as declared: a variable, an array of them, a record or an array of records.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// Its first scalar; the others follow.
    pub first: VarId,
    /// Its number of scalars.
    pub count: u32,
    /// Without `dims`.
    pub ty: Type,
    pub dims: Vec<Dim>,
    pub comment: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// As printed and as in [`modeshift_inst::exp::Callee::User`].
    pub name: Arc<str>,
    pub comment: Option<Arc<str>>,
    pub pure: bool,
    pub locals: Vec<FunctionVariable>,
    pub body: FunctionBody,
    /// Annotations that are printed behind the body, without the keyword.
    pub annotation: Option<Arc<str>>,
    /// What annotations say about derivatives, inverses and inlining.
    pub hints: Arc<Hints>,
    pub origin: Arc<Origin>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FunctionVariable {
    pub name: Name,
    /// Without the dimensions.
    pub ty: Type,
    pub dims: Vec<FunctionDim>,
    pub causality: Option<Causality>,
    pub variability: Variability,
    pub protected: bool,
    pub attributes: Vec<Attribute>,
    pub binding: Option<FlatExp>,
    /// What fields of a record without binding hold by their own declarations.
    pub defaults: Vec<(Name, FlatExp)>,
    pub comment: Option<Arc<str>>,
}

/// A dimension of a variable inside a function.
#[derive(Clone, PartialEq, Debug)]
pub enum FunctionDim {
    Known(i64),
    Boolean,
    Enumeration(Arc<EnumType>),
    /// `:`
    Flexible,
    /// Given by the inputs: `size(x, 1)`, `n`.
    Given(FlatExp),
}

#[derive(Clone, PartialEq, Debug)]
pub enum FunctionBody {
    Algorithm(Vec<Statement>),
    External {
        language: Arc<str>,
        name: Arc<str>,
        args: Vec<FlatExp>,
        output: Option<FlatExp>,
        annotation: Option<Arc<str>>,
        code: Arc<NativeCode>,
    },
    /// A record constructor made by the compiler.
    RecordConstructor,
    /// `function fx = der(f, x)`
    Derivative {
        of: Arc<str>,
        wrt: Vec<Name>,
    },
    /// Only a signature.
    Partial,
}

impl FlatModel {
    /// Places of all variables, equations, algorithms and functions, repetitions included.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let variables = self.variables.iter().map(|variable| &variable.origin);
        let equations = self.initial_equations.iter().chain(&self.equations);
        let algorithms = self.initial_algorithms.iter().chain(&self.algorithms);
        variables
            .chain(equations.map(|equation| &equation.origin))
            .chain(algorithms.map(|algorithm| &algorithm.origin))
            .chain(self.functions.iter().map(|function| &function.origin))
            .flat_map(|origin| std::iter::once(origin.span).chain(origin.also.iter().copied()))
    }
}
