//! Readable mathematics, Modelica and LaTeX.

use super::expr::{At, CondId, Expr, Func, Kind, ParamId, VarRef};
use modeshift_algebra::Rational;
use std::fmt::Write as _;

/// The notation of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `x⁻`, `x′`, `·`-free: `2 a x′ - b`.
    Math,
    /// `der(x)`, `pre(x)`, `*`.
    Modelica,
    Latex,
}

/// Who knows what the ids are called.
pub trait Names {
    /// The bare name; derivatives and left limits are added by the style.
    fn var(&self, occurrence: VarRef) -> String;
    fn param(&self, id: ParamId) -> String;
    fn cond(&self, id: CondId) -> String;
    /// The whole text of an occurrence, for holders with their own notation.
    fn occurrence(&self, occurrence: VarRef, style: Style) -> String {
        decorate(&self.var(occurrence), occurrence, style)
    }
}

pub(super) struct RawNames;

impl Names for RawNames {
    fn var(&self, occurrence: VarRef) -> String {
        format!("x{}", occurrence.var.0)
    }
    fn param(&self, id: ParamId) -> String {
        format!("p{}", id.0)
    }
    fn cond(&self, id: CondId) -> String {
        format!("c{}", id.0)
    }
}

fn decorate(name: &str, occurrence: VarRef, style: Style) -> String {
    match style {
        Style::Math => {
            let mut text = name.to_owned();
            match occurrence.order {
                0 => {}
                1 => text.push('′'),
                2 => text.push('″'),
                3 => text.push('‴'),
                order => text.push_str(&superscript(order)),
            }
            if occurrence.at == At::Left {
                text.push('⁻');
            }
            text
        }
        Style::Modelica => {
            let mut text = name.to_owned();
            for _ in 0..occurrence.order {
                text = format!("der({text})");
            }
            if occurrence.at == At::Left {
                format!("pre({text})")
            } else {
                text
            }
        }
        Style::Latex => {
            let mut text = latex_name(name);
            match occurrence.order {
                0 => {}
                1 => text = format!("\\dot{{{text}}}"),
                2 => text = format!("\\ddot{{{text}}}"),
                order => text = format!("{{{text}}}^{{({order})}}"),
            }
            if occurrence.at == At::Left {
                format!("{{{text}}}^{{-}}")
            } else {
                text
            }
        }
    }
}

fn superscript(order: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = order.to_string().into_bytes();
    let digits = digits.iter().map(|d| DIGITS[usize::from(d - b'0') % 10]);
    ['⁽'].into_iter().chain(digits).chain(['⁾']).collect()
}

/// Text with the characters that mean something to LaTeX made harmless.
pub fn latex_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '_' | '&' | '%' | '#' | '$' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\backslash "),
            '^' => out.push_str("\\wedge "),
            '~' => out.push_str("\\sim "),
            c => out.push(c),
        }
    }
    out
}

/// A name as one LaTeX symbol.
pub fn latex_name(name: &str) -> String {
    let escaped = latex_escaped(name);
    if name.chars().count() == 1 {
        escaped
    } else {
        format!("\\mathit{{{escaped}}}")
    }
}

/// Binding strength, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Relation,
    Sum,
    Product,
    Power,
}

/// The text of `expr`.
pub fn print(expr: &Expr, names: &dyn Names, style: Style) -> String {
    let mut printer = Printer {
        out: String::new(),
        names,
        style,
    };
    printer.expr(expr, Level::Relation);
    printer.out
}

struct Printer<'n> {
    out: String,
    names: &'n dyn Names,
    style: Style,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr, context: Level) {
        match expr.kind() {
            Kind::Const(value) => self.constant(value, context),
            Kind::Time => self.out.push_str("time"),
            Kind::Param(id) => {
                let name = self.names.param(*id);
                self.name(&name);
            }
            Kind::Var(occurrence) => {
                let text = self.names.occurrence(*occurrence, self.style);
                self.out.push_str(&text);
            }
            Kind::Cond(id) => {
                let text = self.names.cond(*id);
                self.out.push_str(&text);
            }
            Kind::Text(text) => {
                let _ = write!(self.out, "\"{text}\"");
            }
            Kind::Sum(terms) => self.parenthesised(context > Level::Sum, |p| p.sum(terms)),
            Kind::Prod(factors) => {
                let negative = factors[0].as_const().is_some_and(Rational::is_negative);
                let level = if negative { Level::Sum } else { Level::Product };
                self.parenthesised(context > level, |p| p.product(factors));
            }
            Kind::Pow(base, exponent) => self.power(base, exponent, context),
            Kind::Call(function, args) => self.call(function, args, context),
            Kind::If(condition, then, otherwise) => {
                self.parenthesised(context > Level::Relation, |p| {
                    let condition = p.names.cond(*condition);
                    let _ = write!(p.out, "if {condition} then ");
                    p.expr(then, Level::Relation);
                    p.out.push_str(" else ");
                    p.expr(otherwise, Level::Relation);
                });
            }
            Kind::Relation(op, left, right) => {
                self.parenthesised(context > Level::Relation, |p| {
                    p.expr(left, Level::Sum);
                    let _ = write!(p.out, " {} ", op.symbol());
                    p.expr(right, Level::Sum);
                });
            }
        }
    }

    fn parenthesised(&mut self, needed: bool, inner: impl FnOnce(&mut Self)) {
        if needed {
            self.out.push('(');
        }
        inner(self);
        if needed {
            self.out.push(')');
        }
    }

    fn name(&mut self, name: &str) {
        if self.style == Style::Latex {
            let name = latex_name(name);
            self.out.push_str(&name);
        } else {
            self.out.push_str(name);
        }
    }

    fn constant(&mut self, value: &Rational, context: Level) {
        let text = number(value);
        let negative = value.is_negative() && context > Level::Sum;
        let fraction = text.contains('/') && context > Level::Product;
        self.parenthesised(negative || fraction, |p| p.out.push_str(&text));
    }

    fn sum(&mut self, terms: &[Expr]) {
        for (i, term) in terms.iter().enumerate() {
            if i == 0 {
                self.expr(term, Level::Sum);
            } else if is_negative(term) {
                self.out.push_str(" - ");
                self.expr(&term.scale(&Rational::int(-1)), Level::Product);
            } else {
                self.out.push_str(" + ");
                self.expr(term, Level::Product);
            }
        }
    }

    fn product(&mut self, factors: &[Expr]) {
        let mut factors = factors;
        if let Some(value) = factors[0].as_const()
            && value.is_negative()
        {
            self.out.push('-');
            if (-value).is_one() {
                factors = &factors[1..];
            }
        }
        let (above, below): (Vec<Expr>, Vec<Expr>) = split_fraction(factors);
        self.factors(&above);
        if !below.is_empty() {
            self.out.push('/');
            let several = below.len() > 1;
            self.parenthesised(several, |p| p.factors(&below));
        }
    }

    fn factors(&mut self, factors: &[Expr]) {
        if factors.is_empty() {
            self.out.push('1');
        }
        let single = factors.len() == 1;
        for (i, factor) in factors.iter().enumerate() {
            if i > 0 {
                self.out.push_str(if self.style == Style::Latex {
                    " \\, "
                } else {
                    "*"
                });
            }
            match factor.as_const() {
                Some(value) => self.constant(&value.abs(), Level::Product),
                None if single => self.expr(factor, Level::Power),
                None => self.expr(factor, Level::Power),
            }
        }
    }

    fn power(&mut self, base: &Expr, exponent: &Rational, context: Level) {
        if exponent.is_negative() {
            return self.parenthesised(context > Level::Product, |p| {
                p.out.push_str("1/");
                p.expr(&base.pow(-exponent), Level::Power);
            });
        }
        if Rational::new(1, 2).as_ref() == Some(exponent) {
            let (open, close) = if self.style == Style::Latex {
                ("\\sqrt{", "}")
            } else {
                ("sqrt(", ")")
            };
            self.out.push_str(open);
            self.expr(base, Level::Relation);
            self.out.push_str(close);
            return;
        }
        let atom = matches!(
            base.kind(),
            Kind::Var(_) | Kind::Param(_) | Kind::Call(..) | Kind::Time
        );
        self.parenthesised(!atom, |p| {
            p.expr(base, if atom { Level::Power } else { Level::Relation })
        });
        let text = number(exponent);
        match self.style {
            Style::Math if text.len() == 1 && text.as_bytes()[0].is_ascii_digit() => {
                let up = superscript(u32::from(text.as_bytes()[0] - b'0'));
                self.out.extend(up.chars().filter(|c| !"⁽⁾".contains(*c)));
            }
            Style::Latex => {
                let _ = write!(self.out, "^{{{text}}}");
            }
            _ if text.contains('/') => {
                let _ = write!(self.out, "^({text})");
            }
            _ => {
                let _ = write!(self.out, "^{text}");
            }
        }
    }

    fn call(&mut self, function: &Func, args: &[Expr], context: Level) {
        if let ("^", [base, exponent]) = (function.name.as_str(), args) {
            return self.parenthesised(context > Level::Product, |p| {
                p.expr(base, Level::Power);
                p.out.push('^');
                p.expr(exponent, Level::Power);
            });
        }
        if let ("if", [condition, then, otherwise], true) =
            (function.name.as_str(), args, function.partials.is_empty())
        {
            let parts = [
                ("noEvent(if ", condition),
                (" then ", then),
                (" else ", otherwise),
            ];
            for (word, part) in parts {
                self.out.push_str(word);
                self.expr(part, Level::Relation);
            }
            self.out.push(')');
            return;
        }
        for i in &function.partials {
            let _ = write!(self.out, "∂{}", i + 1);
        }
        self.name(function.name.as_str());
        self.out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(arg, Level::Relation);
        }
        self.out.push(')');
    }
}

/// Factors above and below the fraction bar.
fn split_fraction(factors: &[Expr]) -> (Vec<Expr>, Vec<Expr>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for factor in factors {
        match factor.kind() {
            Kind::Pow(base, exponent) if exponent.is_negative() => below.push(base.pow(-exponent)),
            _ => above.push(factor.clone()),
        }
    }
    (above, below)
}

fn is_negative(term: &Expr) -> bool {
    match term.kind() {
        Kind::Const(value) => value.is_negative(),
        Kind::Prod(factors) => factors[0].as_const().is_some_and(Rational::is_negative),
        _ => false,
    }
}

/// The numbers that stand for the limits of the machine, as modellers write them.
const LIMITS: [(f64, &str); 3] = [
    (f64::MAX, "Modelica.Constants.inf"),
    (f64::MIN_POSITIVE, "Modelica.Constants.small"),
    (f64::EPSILON, "Modelica.Constants.eps"),
];

/// A terminating decimal where that is short and exact, else a fraction; with an exponent where that is much shorter. The
/// limits of the machine have names.
fn number(value: &Rational) -> String {
    let size = value.to_f64().abs();
    if let Some((_, name)) = LIMITS.iter().find(|(limit, _)| *limit == size) {
        let sign = if value.is_negative() { "-" } else { "" };
        return format!("{sign}{name}");
    }
    let is_exact = |text: &str| Rational::parse_decimal(text).as_ref() == Some(value);
    let (plain, float) = (value.to_string(), value.to_f64());
    let decimal = float.to_string();
    if decimal.len().min(plain.len()) > 24 {
        let scientific = format!("{float:e}");
        if is_exact(&scientific) {
            return scientific;
        }
    }
    if value.is_integer() {
        return plain;
    }
    let is_short = decimal.len() <= plain.len().max(12);
    if is_short && is_exact(&decimal) {
        decimal
    } else {
        plain
    }
}
