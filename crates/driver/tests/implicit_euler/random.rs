//! Random nonlinear models with one or two conditions.
//!
//! They are small on purpose: most combinations of a constraint, a kinematic pair, a product of states and a function
//! show with five unknowns. Factors that multiply derivatives are positive, so that no mode is singular by accident.

use super::point::Random;
use std::fmt::Write as _;

impl Random {
    fn below(&mut self, n: u64) -> usize {
        ((self.number() - 0.5) / 1.5 * n as f64) as usize % n as usize
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent as usize
    }

    fn factor(&mut self) -> i64 {
        let value = 1 + self.below(4) as i64;
        if self.chance(40) { -value } else { value }
    }
}

struct Generator<'r> {
    random: &'r mut Random,
    n: usize,
}

impl Generator<'_> {
    fn var(&mut self) -> String {
        format!("x{}", self.random.below(self.n as u64))
    }

    fn other(&mut self, not: usize) -> String {
        let other = self.random.below(self.n as u64 - 1);
        format!("x{}", other + usize::from(other >= not))
    }

    /// A bounded function of one variable, or a product.
    fn nonlinear(&mut self) -> String {
        let (x, y, a) = (self.var(), self.var(), self.random.factor());
        match self.random.below(6) {
            0 => format!("{a}*sin({x})"),
            1 => format!("{a}*{x}*{y}"),
            2 => format!("{a}*{x}^2"),
            3 => format!("{a}/(1 + {x}^2)"),
            4 => format!("{a}*{x}*cos({y})"),
            _ => format!("{a}*exp(-{x}^2)"),
        }
    }

    fn sum(&mut self, of: String) -> String {
        let mut text = of;
        if self.random.chance(50) {
            let term = self.nonlinear();
            let _ = write!(text, " + {term}");
        }
        if self.random.chance(30) {
            let _ = write!(text, " + {}", self.random.factor());
        }
        if self.random.chance(10) {
            let _ = write!(text, " + {}*time", self.random.factor());
        }
        text
    }

    /// An equation that has to do with `x_i`.
    fn own(&mut self, i: usize) -> String {
        let (j, a) = (self.other(i), self.random.factor());
        match self.random.below(8) {
            0 | 1 => format!("der(x{i}) = {a}*{j}"),
            2 => {
                let k = self.other(i);
                format!("der(x{i}) = (2 + cos({k}))*{j}")
            }
            3 | 4 => {
                let right = self.sum(format!("{a}*{j}"));
                format!("der(x{i}) = {right}")
            }
            5 => {
                let k = self.other(i);
                let right = self.sum(format!("{a}*{j}"));
                format!("(1 + {k}^2)*der(x{i}) = {right}")
            }
            6 => format!("x{i} = {a}*{j}"),
            _ => {
                let right = self.sum(format!("{a}*{j}"));
                format!("x{i} = {right}")
            }
        }
    }

    /// What a mode may ask for.
    fn constraint(&mut self) -> String {
        let first = self.random.below(self.n as u64);
        let (j, a) = (self.other(first), self.random.factor());
        match self.random.below(5) {
            0 => format!("x{first} = {a}"),
            1 => format!("x{first} = {a}*{j}"),
            2 => format!("x{first} = {j} + {a}*sin({j})/8"),
            3 => format!("x{first}^3 + x{first} = {a}*{j}"),
            _ => format!("x{first} + {j}^3 = {a}"),
        }
    }
}

pub fn model(random: &mut Random) -> String {
    let n = 2 + random.below(4);
    let conditions = 1 + random.below(2);
    let mut generator = Generator { random, n };
    let mut text = String::from("model M\n");
    let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    let _ = writeln!(text, "  Real {};", names.join(", "));
    for k in 0..conditions {
        let _ = writeln!(text, "  input Boolean g{k};");
    }
    text.push_str("equation\n");
    for i in 0..n {
        let guarded = i < conditions || generator.random.chance(20);
        let own = generator.own(i);
        if !guarded {
            let _ = writeln!(text, "  {own};");
            continue;
        }
        let k = if i < conditions {
            i
        } else {
            generator.random.below(conditions as u64)
        };
        let asked = generator.constraint();
        let _ = writeln!(
            text,
            "  if g{k} then\n    {asked};\n  else\n    {own};\n  end if;"
        );
    }
    if generator.random.chance(12) {
        let (target, source) = (generator.var(), generator.var());
        let a = generator.random.factor();
        let _ = writeln!(
            text,
            "  when g0 then\n    reinit({target}, {a}*pre({source}) + 1);\n  end when;"
        );
    }
    text.push_str("end M;\n");
    // Modelica has no `+ -2`.
    text.replace("+ -", "- ")
}
