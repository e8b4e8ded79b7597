//! Unit strings and arithmetic on units.

use std::f64::consts::PI;
use std::fmt;

/// Exponents count in parts of this size, so that roots of units are units: it is divisible by 2, 3, 4, 5 and 6.
const PARTS: i32 = 60;
const BASE: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// A product of powers of SI base units and a factor. Angles have no dimension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unit {
    powers: [i32; 7],
    /// How many of the coherent SI unit it is.
    factor: f64,
    /// The zero of a temperature scale, in kelvin: a value is a place on the scale, not an amount.
    zero: Option<f64>,
}

impl Unit {
    /// The unit of what has no dimension.
    pub const ONE: Self = Self {
        powers: [0; 7],
        factor: 1.0,
        zero: None,
    };
    pub const KELVIN: Self = Self::base(4);
    /// The unit of time.
    pub const SECOND: Self = Self::base(2);

    const fn base(index: usize) -> Self {
        let mut powers = [0; 7];
        powers[index] = PARTS;
        Self {
            powers,
            factor: 1.0,
            zero: None,
        }
    }

    /// The unit of differences on a temperature scale.
    pub const fn of_differences(self) -> Self {
        Self { zero: None, ..self }
    }

    /// The zero of its scale in kelvin, of a temperature that has one of its own.
    pub const fn zero(self) -> Option<f64> {
        self.zero
    }

    /// Reads a unit string. `None` if it is not one or names an unknown symbol.
    pub fn parse(text: &str) -> Option<Self> {
        let scale = match text {
            "degC" => Some((1.0, 273.15)),
            "degF" => Some((5.0 / 9.0, 459.67 * 5.0 / 9.0)),
            _ => None,
        };
        if let Some((factor, zero)) = scale {
            return Some(Self {
                factor,
                zero: Some(zero),
                ..Self::base(4)
            });
        }
        let mut reader = Reader { text };
        let unit = reader.expression(0)?;
        reader.text.is_empty().then_some(unit)
    }

    /// `None`, too, for a place on a scale, of which there are no multiples.
    pub fn times(self, other: Self) -> Option<Self> {
        if self.zero.is_some() || other.zero.is_some() {
            return None;
        }
        let mut powers = [0; 7];
        for (i, power) in powers.iter_mut().enumerate() {
            *power = self.powers[i].checked_add(other.powers[i])?;
        }
        Some(Self {
            powers,
            factor: self.factor * other.factor,
            zero: None,
        })
    }

    pub fn per(self, other: Self) -> Option<Self> {
        self.times(other.power(-1, 1)?)
    }

    /// The unit to the power of a fraction; `None` where the result has no exponents that can be told.
    pub fn power(self, numerator: i32, denominator: i32) -> Option<Self> {
        if self.zero.is_some() {
            return None;
        }
        let mut powers = [0; 7];
        for (i, power) in powers.iter_mut().enumerate() {
            let scaled = self.powers[i].checked_mul(numerator)?;
            if denominator == 0 || scaled % denominator != 0 {
                return None;
            }
            *power = scaled / denominator;
        }
        Some(Self {
            powers,
            factor: libm::pow(self.factor, f64::from(numerator) / f64::from(denominator)),
            zero: None,
        })
    }

    pub fn same_dimension(self, other: Self) -> bool {
        self.powers == other.powers
    }

    pub fn is_dimensionless(self) -> bool {
        self.powers == [0; 7]
    }

    /// The number to multiply a value in this unit with to have it in the other one.
    pub fn factor_to(self, other: Self) -> f64 {
        self.factor / other.factor
    }

    /// The prefix and the symbol of a derived unit that is the same. Units with two names, such as `J` and `N.m`, have
    /// none here.
    fn named(self) -> Option<(&'static str, &'static str)> {
        const SYMBOLS: [&str; 11] = ["N", "Pa", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H"];
        const PREFIXES: [(&str, f64); 5] =
            [("", 1.0), ("k", 1e3), ("m", 1e-3), ("M", 1e6), ("u", 1e-6)];
        let mut symbols = SYMBOLS.into_iter();
        let symbol =
            symbols.find(|it| Self::parse(it).is_some_and(|unit| unit.powers == self.powers))?;
        let mut prefixes = PREFIXES.into_iter();
        let prefix = prefixes.find(|(_, value)| (self.factor / value - 1.0).abs() < 1e-9)?;
        Some((prefix.0, symbol))
    }

    /// Whether both are the same, up to rounding.
    pub fn is_same(self, other: Self) -> bool {
        self.same_dimension(other)
            && self.zero == other.zero
            && (self.factor_to(other) - 1.0).abs() < 1e-9
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.zero.is_some() {
            return f.write_str(if self.factor == 1.0 { "degC" } else { "degF" });
        }
        if let Some((prefix, symbol)) = self.named() {
            return write!(f, "{prefix}{symbol}");
        }
        let mut first = true;
        if (self.factor - 1.0).abs() > 1e-9 {
            f.write_str(&factor(self.factor))?;
            first = false;
        }
        for (symbol, &power) in BASE.iter().zip(&self.powers) {
            if power == 0 {
                continue;
            }
            if !first {
                f.write_str(if self.factor != 1.0 && power != 0 {
                    " "
                } else {
                    "."
                })?;
            }
            first = false;
            match power {
                PARTS => f.write_str(symbol)?,
                _ if power % PARTS == 0 => write!(f, "{symbol}{}", power / PARTS)?,
                _ => {
                    let common = gcd(power.unsigned_abs(), PARTS.unsigned_abs()) as i32;
                    write!(f, "{symbol}({}/{})", power / common, PARTS / common)?;
                }
            }
        }
        if first {
            f.write_str("1")?;
        }
        Ok(())
    }
}

/// A factor with six digits, as people write it: `3600`, `0.001`, `2.77778e-10`.
fn factor(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    match rounded.abs() {
        1e-4..1e7 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Parentheses in unit strings are followed so deep.
const DEPTH: u32 = 16;

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn eat(&mut self, token: char) -> bool {
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn expression(&mut self, depth: u32) -> Option<Unit> {
        let numerator = if self.text.starts_with('(') {
            self.group(depth)?
        } else if self.text == "1" || self.text.starts_with("1/") {
            self.text = &self.text[1..];
            Unit::ONE
        } else {
            let mut product = self.factor()?;
            while self.eat('.') {
                product = product.times(self.factor()?)?;
            }
            product
        };
        if !self.eat('/') {
            return Some(numerator);
        }
        let denominator = if self.text.starts_with('(') {
            self.group(depth)?
        } else {
            self.factor()?
        };
        numerator.per(denominator)
    }

    fn group(&mut self, depth: u32) -> Option<Unit> {
        if depth >= DEPTH || !self.eat('(') {
            return None;
        }
        let inner = self.expression(depth + 1)?;
        self.eat(')').then_some(inner)
    }

    fn factor(&mut self) -> Option<Unit> {
        let is_symbol = |c: char| c.is_alphabetic() || matches!(c, '_' | '%' | '\'');
        let end = self.text.find(|c| !is_symbol(c)).unwrap_or(self.text.len());
        let (symbol, rest) = self.text.split_at(end);
        let unit = operand(symbol)?;
        self.text = rest;
        let negative = match self.text.as_bytes().first() {
            Some(b'-') => true,
            Some(b'+') => false,
            Some(b'0'..=b'9') => {
                let power = self.number()?;
                return unit.power(power, 1);
            }
            Some(b'(') => return self.fraction(unit, false),
            _ => return Some(unit),
        };
        self.text = &self.text[1..];
        if self.text.starts_with('(') {
            return self.fraction(unit, negative);
        }
        let power = self.number()?;
        unit.power(if negative { -power } else { power }, 1)
    }

    fn fraction(&mut self, unit: Unit, negative: bool) -> Option<Unit> {
        self.eat('(');
        let numerator = self.number()?;
        let denominator = if self.eat('/') { self.number()? } else { 1 };
        let numerator = if negative { -numerator } else { numerator };
        self.eat(')').then_some(())?;
        unit.power(numerator, denominator)
    }

    fn number(&mut self) -> Option<i32> {
        let digits = |c: char| c.is_ascii_digit();
        let end = self.text.find(|c| !digits(c)).unwrap_or(self.text.len());
        let (number, rest) = self.text.split_at(end);
        let value = number.parse().ok()?;
        self.text = rest;
        Some(value)
    }
}

/// A symbol, or a symbol behind a prefix: in this order.
fn operand(text: &str) -> Option<Unit> {
    if let Some(unit) = symbol(text) {
        return Some(unit);
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let unit = symbol(text.strip_prefix(prefix)?)?;
        Some(Unit {
            factor: unit.factor * factor,
            ..unit
        })
    })
}

const PREFIXES: &[(&str, f64)] = &[
    ("da", 1e1),
    ("Q", 1e30),
    ("R", 1e27),
    ("Y", 1e24),
    ("Z", 1e21),
    ("E", 1e18),
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
    ("a", 1e-18),
    ("z", 1e-21),
    ("y", 1e-24),
    ("r", 1e-27),
    ("q", 1e-30),
];

/// SI units and those that Modelica adds. Temperatures with a zero of their own are left out.
fn symbol(text: &str) -> Option<Unit> {
    // Exponents of kg, m, s, A, K, mol, cd.
    let (powers, factor): ([i32; 7], f64) = match text {
        "kg" => ([1, 0, 0, 0, 0, 0, 0], 1.0),
        "g" => ([1, 0, 0, 0, 0, 0, 0], 1e-3),
        "t" => ([1, 0, 0, 0, 0, 0, 0], 1e3),
        "m" => ([0, 1, 0, 0, 0, 0, 0], 1.0),
        "s" => ([0, 0, 1, 0, 0, 0, 0], 1.0),
        "min" => ([0, 0, 1, 0, 0, 0, 0], 60.0),
        "h" => ([0, 0, 1, 0, 0, 0, 0], 3600.0),
        "d" => ([0, 0, 1, 0, 0, 0, 0], 86400.0),
        "A" => ([0, 0, 0, 1, 0, 0, 0], 1.0),
        "K" => ([0, 0, 0, 0, 1, 0, 0], 1.0),
        "mol" => ([0, 0, 0, 0, 0, 1, 0], 1.0),
        "cd" | "lm" => ([0, 0, 0, 0, 0, 0, 1], 1.0),
        "lx" => ([0, -2, 0, 0, 0, 0, 1], 1.0),
        "rad" | "sr" => ([0; 7], 1.0),
        "deg" => ([0; 7], PI / 180.0),
        "rev" => ([0; 7], 2.0 * PI),
        "Hz" | "Bq" => ([0, 0, -1, 0, 0, 0, 0], 1.0),
        "N" => ([1, 1, -2, 0, 0, 0, 0], 1.0),
        "Pa" => ([1, -1, -2, 0, 0, 0, 0], 1.0),
        "bar" => ([1, -1, -2, 0, 0, 0, 0], 1e5),
        "J" => ([1, 2, -2, 0, 0, 0, 0], 1.0),
        "eV" => ([1, 2, -2, 0, 0, 0, 0], 1.602_176_634e-19),
        "W" | "VA" | "var" => ([1, 2, -3, 0, 0, 0, 0], 1.0),
        "C" => ([0, 0, 1, 1, 0, 0, 0], 1.0),
        "V" => ([1, 2, -3, -1, 0, 0, 0], 1.0),
        "F" => ([-1, -2, 4, 2, 0, 0, 0], 1.0),
        "Ohm" => ([1, 2, -3, -2, 0, 0, 0], 1.0),
        "S" => ([-1, -2, 3, 2, 0, 0, 0], 1.0),
        "Wb" => ([1, 2, -2, -1, 0, 0, 0], 1.0),
        "T" => ([1, 0, -2, -1, 0, 0, 0], 1.0),
        "H" => ([1, 2, -2, -2, 0, 0, 0], 1.0),
        "Gy" | "Sv" => ([0, 2, -2, 0, 0, 0, 0], 1.0),
        "kat" => ([0, 0, -1, 0, 0, 1, 0], 1.0),
        "l" | "L" => ([0, 3, 0, 0, 0, 0, 0], 1e-3),
        "debye" => ([0, 1, 1, 1, 0, 0, 0], 1e-21 / 299_792_458.0),
        _ => return None,
    };
    Some(Unit {
        powers: powers.map(|power| power * PARTS),
        factor,
        zero: None,
    })
}

#[cfg(test)]
mod tests {
    use super::Unit;

    fn unit(text: &str) -> Unit {
        Unit::parse(text).unwrap_or_else(|| panic!("`{text}` is a unit"))
    }

    #[test]
    fn strings_that_mean_the_same_are_the_same() {
        for (a, b) in [
            ("N.m", "kg.m2/s2"),
            ("kg.m/s2", "kg.m.s-2"),
            ("J/(kg.K)", "J.kg-1.K-1"),
            ("J/(kg.K)", "m2/(s2.K)"),
            ("1/rad", "1"),
            ("mm2", "1/(Mm-1.Tm-1)"),
            ("V.s", "Wb"),
            ("m(1/2)", "m(2/4)"),
            ("kW.h", "kW.h"),
            ("l/min", "dm3/min"),
            ("rev/min", "rev/min"),
            ("W/(m2.K4)", "kg.s-3.K-4"),
        ] {
            let (a, b) = (unit(a), unit(b));
            assert!(a.same_dimension(b), "{a} {b}");
        }
        assert!(unit("N.m").is_same(unit("J")));
        assert!((unit("mm2").factor_to(unit("m2")) - 1e-6).abs() < 1e-18);
        assert!((unit("km/h").factor_to(unit("m/s")) - 1.0 / 3.6).abs() < 1e-12);
        assert!((unit("min").factor_to(unit("s")) - 60.0).abs() < 1e-12);
    }

    #[test]
    fn a_symbol_goes_before_a_prefix() {
        assert!(unit("T").is_same(unit("V.s/m2")));
        assert!((unit("min").factor_to(unit("s")) - 60.0).abs() < 1e-12);
        assert!(unit("cd").same_dimension(unit("lm")));
    }

    #[test]
    fn what_is_no_unit_is_none() {
        for text in [
            "", "Nm", "degC/s", "m/s/s", "m^2", "m2 /s", "(m", "m)", "quux", "/s", "m.", "-",
        ] {
            assert!(Unit::parse(text).is_none(), "{text}");
        }
        let deep = "(".repeat(1000);
        assert!(Unit::parse(&deep).is_none());
    }

    #[test]
    fn units_are_printed_as_they_are_written() {
        assert_eq!(unit("kg.m.s-2").to_string(), "N");
        assert_eq!(unit("V/A").to_string(), "Ohm");
        assert_eq!(unit("kOhm.A").to_string(), "kV");
        // A torque or an energy.
        assert_eq!(unit("N.m").to_string(), "kg.m2.s-2");
        assert_eq!(unit("1").to_string(), "1");
        assert_eq!(unit("m(1/2)").to_string(), "m(1/2)");
    }

    #[test]
    fn a_place_on_a_scale_is_no_amount() {
        let (celsius, kelvin) = (unit("degC"), unit("K"));
        assert!(celsius.same_dimension(kelvin) && !celsius.is_same(kelvin));
        assert!(celsius.of_differences().is_same(kelvin));
        assert!(celsius.times(unit("W")).is_none());
        assert_eq!(celsius.to_string(), "degC");
    }

    #[test]
    fn roots_undo_powers() {
        let metre = unit("m");
        assert!(unit("m2").power(1, 2).is_some_and(|it| it.is_same(metre)));
        assert!(unit("m").power(1, 7).is_none());
    }
}
