//! External functions that are built in, by what is published about them: those of C's `<math.h>`, and those that the
//! Modelica Standard Library declares.

mod args;
mod strings;

pub use args::Args;

use crate::context::Context;
use crate::error::Trouble;
use crate::ins::{BANKS, Slot};
use crate::machine::Machine;
use crate::num::Num;
use modeshift_inst::builtin::{Binary, Unary};

/// Something that a constructor made.
#[derive(Debug)]
pub enum Object {
    Gone,
}

/// The state of generators that functions share.
#[derive(Debug, Default)]
pub struct Random {
    pub seed: u64,
}

macro_rules! externals {
    ($($variant:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum External {
            Math1(Unary),
            Math2(Binary),
            $($variant,)*
        }

        impl External {
            /// By the name of the function in C.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => return Some(Self::$variant),)*
                    _ => {}
                }
                let binary = match name {
                    "pow" => Some(Binary::Pow),
                    "atan2" => Some(Binary::Atan2),
                    "fmin" => Some(Binary::Min),
                    "fmax" => Some(Binary::Max),
                    "fmod" => Some(Binary::Rem),
                    _ => None,
                };
                if let Some(op) = binary {
                    return Some(Self::Math2(op));
                }
                let unary = match name {
                    "fabs" => Some(Unary::Abs),
                    "cbrt" => Some(Unary::Cbrt),
                    "trunc" => Some(Unary::Trunc),
                    "sqrt" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh"
                    | "tanh" | "exp" | "log" | "log10" | "floor" | "ceil" => Unary::named(name),
                    _ => None,
                };
                unary.map(Self::Math1)
            }
        }
    };
}

externals! {
    StringLength = "ModelicaStrings_length",
    StringSubstring = "ModelicaStrings_substring",
    StringCompare = "ModelicaStrings_compare",
}

/// Runs an external function. Arguments stand in the order of the external call; outputs among them are registers
/// that are written.
pub fn call<R: Num>(
    machine: &mut Machine<R>,
    function: External,
    base: [usize; BANKS],
    (args, results): (&[Slot], &[Slot]),
    context: &mut Context,
) -> Result<(), Trouble> {
    let mut args = Args::new(machine, base, args, results);
    match function {
        External::Math1(op) => {
            let value = R::unary(op, args.real(0)?);
            args.give_real(value)
        }
        External::Math2(op) => {
            let value = R::binary(op, args.real(0)?, args.real(1)?);
            args.give_real(value)
        }
        External::StringLength | External::StringSubstring | External::StringCompare => {
            let _ = &context;
            strings::call(function, &mut args)
        }
    }
}
