//! Parts about event iteration: `when` clauses that share a condition or trigger each other, resets that take turns,
//! comparisons of Booleans and enumerations, held reals on thresholds, algorithms that mix what moves with what is held.

use super::{Kind, Maker, Part, Variable};

/// Kinds of parts in this module.
pub(super) const SHAPES: usize = 7;

impl Maker {
    /// What a part gives to others.
    pub(super) fn event_variables(&mut self, shape: usize) -> Vec<(&'static str, Kind, bool)> {
        match shape {
            0 | 6 => vec![("n", Kind::Integer, true), ("b", Kind::Boolean, true)],
            1 => vec![("n", Kind::Integer, true)],
            2 => match self.dice.chance(30) {
                true => vec![("n", Kind::Integer, true)],
                false => vec![("b", Kind::Boolean, true)],
            },
            3 => vec![("a", Kind::Real, true), ("b", Kind::Boolean, true)],
            4 => vec![("b", Kind::Boolean, true)],
            _ => vec![("y", Kind::Real, false)],
        }
    }

    /// Whether its variables are given at events only.
    pub(super) fn event_part(
        &mut self,
        shape: usize,
        variables: &[Variable],
        part: &mut Part,
    ) -> bool {
        match shape {
            0 => self.twins(variables, part),
            1 => self.turns(&variables[0], part),
            2 => {
                self.comparison(&variables[0], part);
                return false;
            }
            3 => {
                self.held_threshold(variables, part);
                return false;
            }
            4 => {
                self.mixed_algorithm(&variables[0], part);
                return false;
            }
            5 => {
                self.rate(&variables[0], part);
                return false;
            }
            _ => self.triggers(variables, part),
        }
        true
    }

    /// Two `when` with one condition: the second sees what the first one gives.
    fn twins(&mut self, variables: &[Variable], part: &mut Part) {
        let condition = self.when_condition();
        let (n, b) = (&variables[0], &variables[1]);
        let value = self.new_value(n);
        let (other, limit) = (self.condition(0), self.dice.below(4));
        let mut both = [
            format!("when {condition} then\n  {} = {value};\nend when;", n.name),
            format!(
                "when {condition} then\n  {} = {} > {limit} or {other};\nend when;",
                b.name, n.name
            ),
        ];
        if self.dice.chance(50) {
            both.reverse();
        }
        part.equations.extend(both);
    }

    /// Resets in branches, of two states by each other.
    fn turns(&mut self, n: &Variable, part: &mut Part) {
        let condition = self.when_condition();
        let value = self.new_value(n);
        let mut text = format!("when {condition} then\n  {} = {value};\n", n.name);
        let free: Vec<String> = (self.known.iter())
            .filter(|v| v.state && !self.set.contains(&v.name))
            .map(|v| v.name.clone())
            .collect();
        match free.as_slice() {
            [x, z, ..] if self.dice.chance(60) => {
                self.set.extend([x.clone(), z.clone()]);
                text += &format!("  reinit({x}, 0.5*{z} + 0.25);\n  reinit({z}, 0.5*{x});\n");
            }
            [x, ..] => {
                self.set.push(x.clone());
                let choice = self.condition(0);
                let (up, down) = (self.held_real(0), self.real(0));
                text += &format!(
                    "  if {choice} then\n    reinit({x}, {up});\n  else\n    reinit({x}, 0.5*({down}));\n  end if;\n"
                );
            }
            [] => {}
        }
        part.equations.push(text + "end when;");
    }

    fn comparison(&mut self, v: &Variable, part: &mut Part) {
        let phase = self
            .read(Kind::Phase)
            .unwrap_or_else(|| self.constant(Kind::Phase));
        if v.kind == Kind::Integer {
            part.equations
                .push(format!("{} = Integer({phase}) - 1;", v.name));
            return;
        }
        let op = *self.dice.pick(&["==", "<>", "<", "<=", ">", ">="]);
        let line = match self.dice.chance(50) {
            true => format!("{} = {phase} {op} {};", v.name, self.constant(Kind::Phase)),
            false => {
                let (a, b) = (self.condition(0), self.condition(0));
                let op = *self.dice.pick(&["==", "<>"]);
                format!("{} = ({a}) {op} ({b});", v.name)
            }
        };
        part.equations.push(line);
    }

    /// A held real on a threshold: the condition changes with the event that sets it.
    fn held_threshold(&mut self, variables: &[Variable], part: &mut Part) {
        let (a, b) = (&variables[0], &variables[1]);
        let (condition, value) = (self.when_condition(), self.held_real(1));
        let op = *self.dice.pick(&[">", "<="]);
        let at = *self.dice.pick(&["0.6875", "1.1875", "-0.3125"]);
        part.equations.push(format!(
            "when {condition} then\n  {0} = 0.5*pre({0}) + {value};\nend when;",
            a.name
        ));
        part.equations
            .push(format!("{} = {} {op} {at};", b.name, a.name));
    }

    /// An algorithm that computes with what moves before it decides.
    fn mixed_algorithm(&mut self, b: &Variable, part: &mut Part) {
        let number = &b.name[1..];
        let (value, condition, other) = (self.real(1), self.condition(0), self.condition(0));
        let at = *self.dice.pick(&["0.6875", "1.1875", "-0.3125"]);
        part.declarations.push(format!("Real z{number};"));
        part.algorithms.extend([
            format!("z{number} := {value};"),
            format!("if {condition} then\n  z{number} := z{number} + 0.5;\nend if;"),
            format!("{} := z{number} > {at} and not ({other});", b.name),
        ]);
    }

    /// A derivative, to be read by others.
    fn rate(&mut self, y: &Variable, part: &mut Part) {
        let line = match self.a_state() {
            Some(x) => format!("{} = der({x});", y.name),
            None => format!("{} = {};", y.name, self.held_real(1)),
        };
        part.equations.push(line);
    }

    /// A counter that triggers what makes it count.
    fn triggers(&mut self, variables: &[Variable], part: &mut Part) {
        let (n, b) = (&variables[0].name, &variables[1].name);
        let (first, limit) = (self.when_condition(), 1 + self.dice.below(3));
        part.equations.push(match self.dice.chance(50) {
            true => {
                let first = first.trim_matches(['{', '}']);
                format!("when {{{first}, change({b})}} then\n  {n} = pre({n}) + 1;\nend when;")
            }
            false => format!(
                "when {first} then\n  {n} = pre({n}) + 2;\nelsewhen edge({b}) then\n  {n} = 0;\nend when;"
            ),
        });
        part.equations.push(format!(
            "when pre({n}) > {limit} then\n  {b} = not pre({b});\nend when;"
        ));
    }
}
