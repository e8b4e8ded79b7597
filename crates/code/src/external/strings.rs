//! `Modelica.Utilities.Strings`.

use super::{Args, External};
use crate::error::Trouble;
use crate::num::Num;

pub fn call<R: Num>(function: External, args: &mut Args<'_, R>) -> Result<(), Trouble> {
    match function {
        External::StringLength => {
            let length = args.text(0)?.len();
            args.give_int(length as i64)
        }
        External::StringSubstring => {
            let (text, first, last) = (args.text(0)?, args.int(1)?, args.int(2)?);
            let start = usize::try_from(first - 1).unwrap_or(usize::MAX);
            let end = usize::try_from(last).unwrap_or(0);
            let part = text.get(start..end.max(start));
            match part {
                Some(part) => args.give_text(part.into()),
                None => Err(Trouble::External(format!(
                    "characters {first} to {last} of a string of length {}",
                    text.len()
                ))),
            }
        }
        External::StringCompare => {
            let (a, b, case) = (args.text(0)?, args.text(1)?, args.int(2)? != 0);
            let order = match case {
                true => a.cmp(&b),
                false => a.to_lowercase().cmp(&b.to_lowercase()),
            };
            // Compare: less, equal, greater.
            args.give_int(order as i64 + 2)
        }
        _ => Err(Trouble::External("no function of strings".into())),
    }
}
