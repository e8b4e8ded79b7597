//! Numbers as text, by section 3.7.1.2 of the Modelica specification.

/// `String(x, significantDigits, minimumLength, leftJustified)`: as `%.*g` of C.
pub fn real(value: f64, digits: i64, length: i64, left: bool) -> String {
    padded(
        general(value, digits.clamp(1, 100) as usize, false),
        length,
        left,
    )
}

pub fn padded(text: String, length: i64, left: bool) -> String {
    let width = length.clamp(0, 10_000) as usize;
    if left {
        format!("{text:<width$}")
    } else {
        format!("{text:>width$}")
    }
}

fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        Some("nan".into())
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "-inf" }.into())
    } else {
        None
    }
}

/// `1e-05`: at least two digits in the exponent.
fn exponential(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        None => text,
    }
}

fn general(value: f64, digits: usize, keep: bool) -> String {
    if let Some(text) = special(value) {
        return text;
    }
    let digits = digits.max(1);
    let scientific = exponential(value, digits - 1);
    let exponent: i32 = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let Some((mantissa, exponent)) = scientific.split_once('e') else {
            return scientific;
        };
        if keep {
            return scientific;
        }
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if keep {
        text
    } else {
        trimmed(&text).to_owned()
    }
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// `String(x, format)` with a format of C without the percent sign: `8.3f`, `-12.6g`.
pub fn format_real(value: f64, format: &str) -> Result<String, String> {
    let wrong = || format!("`{format}` is no format of a number");
    let rest = format.strip_prefix('%').unwrap_or(format);
    let flags_end = rest.find(|c| !"-+ #0".contains(c)).unwrap_or(rest.len());
    let (flags, rest) = rest.split_at(flags_end);
    let number = |text: &str| -> Option<(usize, usize)> {
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let value = if end == 0 {
            0
        } else {
            text[..end].parse().ok()?
        };
        (value <= 1000).then_some((value, end))
    };
    let (width, end) = number(rest).ok_or_else(wrong)?;
    let mut rest = &rest[end..];
    let mut precision = None;
    if let Some(after) = rest.strip_prefix('.') {
        let (digits, end) = number(after).ok_or_else(wrong)?;
        precision = Some(digits);
        rest = &after[end..];
    }
    let digits = precision.unwrap_or(6);
    let alternate = flags.contains('#');
    let body = match (rest, special(value)) {
        ("f" | "F" | "e" | "E" | "g" | "G", Some(text)) => text,
        ("f" | "F", None) => format!("{value:.digits$}"),
        ("e" | "E", None) => exponential(value, digits),
        ("g" | "G", None) => general(value, digits, alternate),
        ("d" | "i", _) => (value as i64).to_string(),
        ("x", _) => format!("{:x}", value as i64),
        ("X", _) => format!("{:X}", value as i64),
        ("o", _) => format!("{:o}", value as i64),
        ("u", _) => (value as u64).to_string(),
        ("c", _) => u32::try_from(value as i64)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(wrong)?
            .to_string(),
        ("s", _) => general(value, 6, false),
        _ => return Err(wrong()),
    };
    let body = if rest.chars().all(char::is_uppercase) {
        body.to_uppercase()
    } else {
        body
    };
    let sign = match (body.starts_with('-'), flags) {
        (true, _) => "-",
        (false, flags) if flags.contains('+') => "+",
        (false, flags) if flags.contains(' ') => " ",
        _ => "",
    };
    let digits = body.trim_start_matches('-');
    let missing = width.saturating_sub(sign.len() + digits.chars().count());
    Ok(if flags.contains('-') {
        format!("{sign}{digits}{}", " ".repeat(missing))
    } else if flags.contains('0') && value.is_finite() {
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        format!("{}{sign}{digits}", " ".repeat(missing))
    })
}
