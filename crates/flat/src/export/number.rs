//! Real literals in the shape OpenModelica prints them: the shortest text that reads back as the
//! same number, in decimal notation for everyday magnitudes and with an exponent outside of them.

use std::fmt::{self, Write};

/// Writes `value`: `0.001`, `1e-4`, `1000.0`, `1e4`, `14400.0`, `2.5e6`.
///
/// Decimal notation covers exponents −3 to 5; a single digit followed by at least four zeros is
/// shorter with an exponent and written so.
pub fn write_real(out: &mut dyn Write, value: f64) -> fmt::Result {
    if !value.is_finite() {
        // Modelica has no literal for these; they read as the overflow they came from.
        return out.write_str(if value.is_nan() {
            "(0.0 / 0.0)"
        } else if value > 0.0 {
            "1e400"
        } else {
            "-1e400"
        });
    }
    if value == 0.0 {
        return out.write_str("0.0");
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value.abs());
    let (digits, exponent) = decompose(text);
    if value < 0.0 {
        out.write_char('-')?;
    }
    if !(-3..6).contains(&exponent) || (digits.len() == 1 && exponent >= 4) {
        write_scientific(out, &digits, exponent)
    } else {
        write_decimal(out, &digits, exponent)
    }
}

/// Significant digits without leading or trailing zeros, and the decimal exponent of the first.
fn decompose(text: &str) -> (String, i32) {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: String = [whole, fraction].concat();
    let leading = all.len() - all.trim_start_matches('0').len();
    let digits = all.trim_matches('0').to_owned();
    let exponent = exponent + whole.len() as i32 - 1 - leading as i32;
    (digits, exponent)
}

fn write_scientific(out: &mut dyn Write, digits: &str, exponent: i32) -> fmt::Result {
    let (first, rest) = digits.split_at(1);
    out.write_str(first)?;
    if !rest.is_empty() {
        write!(out, ".{rest}")?;
    }
    write!(out, "e{exponent}")
}

fn write_decimal(out: &mut dyn Write, digits: &str, exponent: i32) -> fmt::Result {
    if exponent < 0 {
        out.write_str("0.")?;
        for _ in 1..-exponent {
            out.write_char('0')?;
        }
        return out.write_str(digits);
    }
    let point = exponent as usize + 1;
    if digits.len() <= point {
        out.write_str(digits)?;
        for _ in digits.len()..point {
            out.write_char('0')?;
        }
        out.write_str(".0")
    } else {
        let (whole, fraction) = digits.split_at(point);
        write!(out, "{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::write_real;

    fn text(value: f64) -> String {
        let mut out = String::new();
        write_real(&mut out, value).unwrap();
        out
    }

    #[test]
    fn everyday_numbers_are_decimal_and_round_powers_have_an_exponent() {
        for (value, expected) in [
            (0.001, "0.001"),
            (1e-4, "1e-4"),
            (1000.0, "1000.0"),
            (1e4, "1e4"),
            (14400.0, "14400.0"),
            (2501014.5, "2.5010145e6"),
            (-0.5, "-0.5"),
            (1e60, "1e60"),
            (8.777798510069901e304, "8.777798510069901e304"),
            (45300.945, "45300.945"),
            (0.023200000000000002, "0.023200000000000002"),
            (362880.0, "362880.0"),
            (3e5, "3e5"),
            (0.0, "0.0"),
            (1.0, "1.0"),
            (12.5, "12.5"),
            (1.9999999999999998e-4, "1.9999999999999998e-4"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_reads_back_as_the_same_number(value in proptest::num::f64::NORMAL) {
            proptest::prop_assert_eq!(text(value).parse::<f64>().unwrap(), value);
        }
    }
}
