//! Numbers as messages show them: as many digits as help a reader.

/// The value with seven digits.
pub fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// The value in few characters: large and small ones with an exponent, and the limits of the machine by the names that
/// they have in the Modelica Standard Library.
pub fn shown(value: f64) -> String {
    const NAMES: [(f64, &str); 2] = [
        (f64::MAX, "Modelica.Constants.inf"),
        (f64::MIN_POSITIVE, "Modelica.Constants.small"),
    ];
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == value.abs()) {
        return format!("{}{name}", if value < 0.0 { "-" } else { "" });
    }
    let value = rounded(value);
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-4..1e7 => value.to_string(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn no_number_is_long() {
        for value in [1.0 / 3.0, 1e-9, 2e300, 1234.5, f64::INFINITY, f64::NAN] {
            assert!(shown(value).len() < 14, "{}", shown(value));
        }
    }

    #[test]
    fn limits_have_names() {
        assert_eq!(shown(-f64::MAX), "-Modelica.Constants.inf");
        assert_eq!(shown(f64::MIN_POSITIVE), "Modelica.Constants.small");
    }

    #[test]
    fn numbers_are_written_as_a_modeller_would() {
        assert_eq!(shown(-0.0), "0");
        assert_eq!(shown(293.15), "293.15");
        assert_eq!(shown(0.1 + 0.2), "0.3");
        assert_eq!(shown(2e-9), "2e-9");
        assert_eq!(shown(100000.0), "100000");
    }
}
