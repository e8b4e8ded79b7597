//! The instructions that functions are made of.
//!
//! Registers are typed: numbers, integers (also Booleans, enumerations and handles of external objects), strings,
//! arrays of each, and functions. Every call has its own window of registers in each bank; parameters come first.

use crate::array::Array;
use crate::compiled;
use crate::derivative::Derivative;
use crate::external::{External, Native};
use modeshift_base::Name;
use modeshift_flat::model::Place;
use modeshift_inst::builtin::{Binary, Unary};
use modeshift_inst::ty::EnumType;
use std::sync::{Arc, OnceLock};

pub type Reg = u16;
/// An index into one of the lists of a function.
pub type List = u16;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bank {
    Real,
    Int,
    Str,
    Reals,
    Ints,
    Strs,
    Function,
}

pub const BANKS: usize = 7;

/// The element type of an array register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    Real,
    Int,
    Str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rel {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    NotEqual,
}

impl Rel {
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessEq => a <= b,
            Self::Greater => a > b,
            Self::GreaterEq => a >= b,
            Self::Equal => a == b,
            Self::NotEqual => a != b,
        }
    }
}

/// Which operands are arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zip {
    Both,
    Left,
    Right,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    Sum,
    Product,
    Min,
    Max,
}

/// Functions from one array to another of the same elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rearrange {
    Transpose,
    Symmetric,
    Vector,
    Matrix,
    /// With ones behind, up to so many dimensions.
    Promote(u8),
    Diagonal,
}

/// One subscript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sel {
    All,
    Index(Reg),
    Vector(Reg),
}

#[derive(Clone, Copy, Debug)]
pub enum Ins {
    MovR(Reg, Reg),
    LitR(Reg, u32),
    AddR(Reg, Reg, Reg),
    SubR(Reg, Reg, Reg),
    MulR(Reg, Reg, Reg),
    DivR(Reg, Reg, Reg),
    /// `a*b + c`, `a*b - c` and `c - a*b`: result, a, b, c.
    MulAddR(Reg, Reg, Reg, Reg),
    MulSubR(Reg, Reg, Reg, Reg),
    SubMulR(Reg, Reg, Reg, Reg),
    NegR(Reg, Reg),
    PowiR(Reg, Reg, i32),
    UnR(Unary, Reg, Reg),
    BinR(Binary, Reg, Reg, Reg),
    MovI(Reg, Reg),
    LitI(Reg, u32),
    AddI(Reg, Reg, Reg),
    SubI(Reg, Reg, Reg),
    MulI(Reg, Reg, Reg),
    BinI(Binary, Reg, Reg, Reg),
    NegI(Reg, Reg),
    NotI(Reg, Reg),
    AbsI(Reg, Reg),
    SignI(Reg, Reg),
    SignR(Reg, Reg),
    /// An Integer as a Real.
    ItoR(Reg, Reg),
    /// The largest Integer that is not larger.
    RtoI(Reg, Reg),
    CmpR(Rel, Reg, Reg, Reg),
    CmpI(Rel, Reg, Reg, Reg),
    CmpS(Rel, Reg, Reg, Reg),
    Jmp(u32),
    /// A jump back: counts as a step.
    Back(u32),
    JmpIf(Reg, u32),
    JmpUnless(Reg, u32),
    JmpUnlessR(Rel, Reg, Reg, u32),
    JmpUnlessI(Rel, Reg, Reg, u32),
    /// Counts up; jumps back while the limit is not passed.
    Loop(Reg, Reg, u32),
    /// The number of steps of a range of Integers: how often, start, step, stop.
    Count(Reg, Reg, Reg, Reg),
    GetR1(Reg, Reg, Reg),
    GetR2(Reg, Reg, Reg, Reg),
    GetI1(Reg, Reg, Reg),
    GetS1(Reg, Reg, Reg),
    Get(Of, Reg, Reg, List),
    SetR1(Reg, Reg, Reg),
    SetR2(Reg, Reg, Reg, Reg),
    SetI1(Reg, Reg, Reg),
    Set(Of, Reg, Reg, List),
    New(Of, Reg, List),
    Copy(Of, Reg, Reg),
    /// Takes the array out of a temporary; the size must stay where the flag is set.
    Store(Of, Reg, Reg, bool),
    Slice(Of, Reg, Reg, List),
    Put(Of, Reg, Reg, List),
    FromScalars(Of, Reg, List),
    Stack(Of, Reg, List),
    Cat(Of, Reg, List, u8),
    Clear(Of, Reg),
    Push(Of, Reg, Reg),
    Append(Of, Reg, Reg),
    /// The dimensions of a comprehension: those in the list, then those of one item.
    Shape(Of, Reg, List, u8),
    Fill(Of, Reg, Reg, List),
    FillArray(Of, Reg, Reg, List),
    RangeI(Reg, Reg, Reg, Reg),
    RangeR(Reg, Reg, Reg, Reg),
    ToReals(Reg, Reg),
    ToInts(Reg, Reg),
    MapR(Unary, Reg, Reg),
    MapI(Unary, Reg, Reg),
    ZipR(Binary, Zip, Reg, Reg, Reg),
    ZipI(Binary, Zip, Reg, Reg, Reg),
    ZipS(Zip, Reg, Reg, Reg),
    MatMulR(Reg, Reg, Reg),
    MatMulI(Reg, Reg, Reg),
    DotR(Reg, Reg, Reg),
    DotI(Reg, Reg, Reg),
    MatPow(Reg, Reg, Reg),
    FoldR(Fold, Reg, Reg),
    FoldI(Fold, Reg, Reg),
    Dim(Of, Reg, Reg, Reg),
    Dims(Of, Reg, Reg),
    Rearrange(Rearrange, Of, Reg, Reg),
    Scalar(Of, Reg, Reg),
    Identity(Reg, Reg),
    Linspace(Reg, Reg, Reg, Reg),
    Outer(Reg, Reg, Reg),
    Cross(Reg, Reg, Reg),
    Skew(Reg, Reg),
    MovS(Reg, Reg),
    LitS(Reg, u32),
    CatS(Reg, Reg, Reg),
    /// value, significant digits, minimum length, left-justified
    StrR(Reg, List),
    StrFormat(Reg, Reg, Reg),
    StrI(Reg, List),
    StrB(Reg, List),
    StrE(Reg, List, u16),
    /// An Integer that must be the number of a literal.
    Literal(Reg, Reg, u16),
    MovF(Reg, Reg),
    Closure(Reg, u32),
    Call(u32, List, List),
    CallF(Reg, List, List),
    External(External, List, List),
    /// The external function of this function, in a shared library.
    Native,
    /// Ends the function with the message unless the level is a warning.
    Fail(Reg, Reg),
    Terminate(Reg),
    /// The array must have this size in the given dimension.
    Check(Of, Reg, u8, Reg),
    Refuse(u32),
    Return,
}

/// `function f(a = 1)`: which parameters are given.
#[derive(Clone, Debug)]
pub struct Binding {
    pub function: u32,
    /// Parameter, register here.
    pub given: Vec<(u16, Bank, Reg)>,
}

/// A register of a bank.
pub type Slot = (Bank, Reg);

/// A function as code.
#[derive(Clone, Debug)]
pub struct Code {
    pub name: Arc<str>,
    pub pure: bool,
    pub code: Vec<Ins>,
    /// Where instructions come from: the first instruction of each statement.
    pub places: Vec<(u32, Place)>,
    pub sizes: [u16; BANKS],
    /// Registers of parameters in order, records and arrays of records field by field.
    pub params: Vec<Slot>,
    /// Which parameters belong to which input.
    pub inputs: Vec<(Name, std::ops::Range<usize>)>,
    pub results: Vec<Slot>,
    /// Constants that are there when the function starts, from these registers on.
    pub reals: (Reg, Vec<f64>),
    pub ints: (Reg, Vec<i64>),
    pub literals: Vec<f64>,
    pub integers: Vec<i64>,
    pub strings: Vec<Arc<str>>,
    pub enums: Vec<Arc<EnumType>>,
    pub lists: Vec<Vec<Slot>>,
    pub selectors: Vec<Vec<Sel>>,
    pub closures: Vec<Binding>,
    /// Arrays that stand in the text, in registers that nothing writes to.
    pub arrays: Vec<(Of, Reg, Array<f64>)>,
    /// The function of a shared library that it is made of.
    pub native: Option<Box<Native>>,
    /// Functions that give its derivative, by annotation.
    pub derivatives: Vec<Derivative>,
    /// One of them leaves out what Reals contribute, or one of a function that it calls.
    pub assumes: bool,
    /// Why it cannot be executed.
    pub refused: Option<Arc<str>>,
    /// Its machine code, found when it is first called.
    pub compiled: OnceLock<Option<modeshift_jit::Function>>,
}

impl Code {
    /// Its machine code, if it has any.
    pub fn compiled(&self) -> Option<&modeshift_jit::Function> {
        let compiled = self.compiled.get_or_init(|| compiled::compile(self));
        compiled.as_ref()
    }

    /// Whether it is a function of the model's author in another language.
    pub const fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The functions it calls or hands over.
    pub fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        let called = self.code.iter().filter_map(|ins| match ins {
            Ins::Call(function, ..) => Some(*function),
            _ => None,
        });
        called.chain(self.closures.iter().map(|closure| closure.function))
    }
}
