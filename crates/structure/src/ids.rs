//! Small integers for equations, variables and mode variables, so that one cannot index the other.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id with this number. Graphs here have fewer than 2³² vertices.
            pub const fn new(index: usize) -> Self {
                Self(index as u32)
            }

            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

id!(
    /// An equation: a row of the incidence matrix.
    EqId,
    "f"
);
id!(
    /// A variable (unknown): a column of the incidence matrix.
    VarId,
    "x"
);
id!(
    /// A Boolean mode variable. Its number is its place in the order of the mode sets: variables of
    /// neighbouring equations should have neighbouring numbers.
    ModeVar,
    "g"
);
