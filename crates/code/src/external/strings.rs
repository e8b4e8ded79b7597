//! `Modelica.Utilities.Strings`: characters are bytes, and positions count from 1.

use super::{Args, External};
use crate::error::Trouble;
use crate::num::Num;
use std::cmp::Ordering;

pub fn call<R: Num>(function: External, args: &mut Args<'_, R>) -> Result<(), Trouble> {
    match function {
        External::StringLength => {
            let length = args.text(0)?.len();
            args.give_int(length as i64)
        }
        External::StringSubstring => {
            let (text, first, last) = (args.text(0)?, args.int(1)?, args.int(2)?);
            let start = usize::try_from(first - 1).unwrap_or(usize::MAX);
            let end = usize::try_from(last).unwrap_or(0).max(start);
            match text.get(start..end) {
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
            // Less, Equal, Greater.
            args.give_int(match order {
                Ordering::Less => 1,
                Ordering::Equal => 2,
                Ordering::Greater => 3,
            })
        }
        External::SkipWhiteSpace => {
            let (text, start) = (args.text(0)?, args.int(1)?);
            args.give_int(skip(text.as_bytes(), start))
        }
        External::ScanReal => {
            let (text, start, unsigned) = (args.text(0)?, args.int(1)?, args.int(2)? != 0);
            let first = skip(text.as_bytes(), start);
            let found = number(text.as_bytes(), first, unsigned, true);
            let value = found.and_then(|end| part(&text, first, end)?.parse::<f64>().ok());
            args.put_int(
                3,
                if value.is_some() {
                    found.unwrap_or(first)
                } else {
                    start
                },
            )?;
            args.put_real(4, R::of(value.unwrap_or(0.0)))
        }
        External::ScanInteger => {
            let (text, start, unsigned) = (args.text(0)?, args.int(1)?, args.int(2)? != 0);
            let first = skip(text.as_bytes(), start);
            let found = number(text.as_bytes(), first, unsigned, false);
            // A Real is no Integer that happens to be followed by something.
            let found =
                found.filter(|&end| number(text.as_bytes(), first, unsigned, true) == Some(end));
            let value = found.and_then(|end| {
                part(&text, first, end)?
                    .trim_start_matches('+')
                    .parse::<i64>()
                    .ok()
            });
            args.put_int(
                3,
                if value.is_some() {
                    found.unwrap_or(first)
                } else {
                    start
                },
            )?;
            args.put_int(4, value.unwrap_or(0))
        }
        External::ScanIdentifier => {
            let (text, start) = (args.text(0)?, args.int(1)?);
            let first = skip(text.as_bytes(), start);
            let bytes = text.as_bytes().get(first as usize - 1..).unwrap_or(&[]);
            let starts = bytes.first().is_some_and(|c| c.is_ascii_alphabetic());
            let length = bytes
                .iter()
                .take_while(|c| c.is_ascii_alphanumeric() || **c == b'_')
                .count();
            let end = first + length as i64;
            match part(&text, first, end).filter(|_| starts) {
                Some(name) => {
                    args.put_int(2, end)?;
                    args.put_text(3, name.into())
                }
                None => {
                    args.put_int(2, start)?;
                    args.put_text(3, "".into())
                }
            }
        }
        External::ScanString => {
            let (text, start) = (args.text(0)?, args.int(1)?);
            let first = skip(text.as_bytes(), start);
            match quoted(&text, first) {
                Some((content, next)) => {
                    args.put_int(2, next)?;
                    args.put_text(3, content.into())
                }
                None => {
                    args.put_int(2, start)?;
                    args.put_text(3, "".into())
                }
            }
        }
        External::HashString => {
            let text = args.text(0)?;
            args.give_int(i64::from(hash(text.as_bytes()) as i32))
        }
        _ => Err(Trouble::External("no function of strings".into())),
    }
}

/// Behind white space.
fn skip(text: &[u8], start: i64) -> i64 {
    let from = usize::try_from(start - 1).unwrap_or(0);
    let rest = text.get(from..).unwrap_or(&[]);
    let blanks = rest.iter().take_while(|c| c.is_ascii_whitespace()).count();
    start.max(1) + blanks as i64
}

fn part(text: &str, first: i64, end: i64) -> Option<&str> {
    text.get(usize::try_from(first - 1).ok()?..usize::try_from(end - 1).ok()?)
}

/// The position behind a number.
fn number(text: &[u8], first: i64, unsigned: bool, real: bool) -> Option<i64> {
    let start = usize::try_from(first - 1).ok()?;
    let mut at = start;
    let digits = |at: &mut usize| {
        let from = *at;
        while text.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        *at > from
    };
    if matches!(text.get(at), Some(b'+' | b'-')) {
        if unsigned {
            return None;
        }
        at += 1;
    }
    let mut any = digits(&mut at);
    if real {
        if text.get(at) == Some(&b'.') {
            at += 1;
            any |= digits(&mut at);
        }
        if any && matches!(text.get(at), Some(b'e' | b'E')) {
            let mut exponent = at + 1;
            if matches!(text.get(exponent), Some(b'+' | b'-')) {
                exponent += 1;
            }
            if digits(&mut exponent) {
                at = exponent;
            }
        }
    }
    any.then_some(at as i64 + 1)
}

/// The content of a string in quotes and the position behind it.
fn quoted(text: &str, first: i64) -> Option<(String, i64)> {
    let start = usize::try_from(first - 1).ok()?;
    let rest = text.get(start..)?.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' if !escaped => return Some((rest[..at].to_owned(), first + at as i64 + 2)),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

/// The hash function of Arash Partow.
pub fn hash(text: &[u8]) -> u32 {
    let mut hash: u32 = 0xAAAA_AAAA;
    for (i, &c) in text.iter().enumerate() {
        let c = u32::from(c);
        hash ^= match i % 2 {
            0 => (hash << 7) ^ c.wrapping_mul(hash >> 3),
            _ => !(hash << 11).wrapping_add(c ^ (hash >> 5)),
        };
    }
    hash
}
