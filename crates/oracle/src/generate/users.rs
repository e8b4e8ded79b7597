//! Parts that users write: first values by `when initial()`, conditions in arrays, records and functions in `when`, `noEvent`,
//! algorithms whose numbers others read.

use super::{Kind, Maker, Part, Variable};

/// Kinds of parts in this module.
pub(super) const SHAPES: usize = 6;

impl Maker {
    /// What a part gives to others.
    pub(super) fn user_variables(&mut self, shape: usize) -> Vec<(&'static str, Kind, bool)> {
        match shape {
            0 if self.dice.chance(50) => vec![("b", Kind::Boolean, true)],
            0..=2 => vec![("n", Kind::Integer, true)],
            3 => vec![("y", Kind::Real, false), ("n", Kind::Integer, true)],
            4 => vec![("y", Kind::Real, false)],
            _ => vec![("b", Kind::Boolean, true), ("y", Kind::Real, false)],
        }
    }

    /// Whether its variables are given at events only.
    pub(super) fn user_part(
        &mut self,
        shape: usize,
        variables: &[Variable],
        part: &mut Part,
    ) -> bool {
        match shape {
            0 => {
                self.by_initial(&variables[0], part);
                false
            }
            1 => self.conditions(&variables[0], part),
            2 => self.function(&variables[0], part),
            3 => {
                self.record(variables, part);
                false
            }
            4 => {
                self.without_event(&variables[0], part);
                false
            }
            _ => {
                self.steps(variables, part);
                false
            }
        }
    }

    fn by_initial(&mut self, v: &Variable, part: &mut Part) {
        let (first, later) = (self.new_value(v), self.new_value(v));
        let condition = self.when_condition();
        let sign = if self.dice.chance(50) { "=" } else { ":=" };
        let text = format!(
            "when initial() then\n  {0} {sign} {first};\nelsewhen {condition} then\n  {0} {sign} {later};\nend when;",
            v.name
        );
        match sign {
            "=" => part.equations.push(text),
            _ => part.algorithms.push(text),
        }
    }

    /// A `when` with an array of Booleans, and their edges elsewhere.
    fn conditions(&mut self, n: &Variable, part: &mut Part) -> bool {
        let (name, number) = (&n.name, &n.name[1..]);
        let (first, second) = (self.boolean(1), self.boolean(1));
        part.declarations.push(format!("Boolean g{number}[2];"));
        part.equations.push(format!("g{number}[1] = {first};"));
        part.equations.push(format!("g{number}[2] = {second};"));
        let all = [
            "g#",
            "{g#[1], edge(g#[2])}",
            "{change(g#[1]), change(g#[2])}",
        ];
        let condition = self.dice.pick(&all).replace('#', number);
        let value = self.new_value(n);
        part.equations.push(format!(
            "when {condition} then\n  {name} = {value};\nend when;"
        ));
        true
    }

    /// A function in a `when`; the interpreter reads what it computes.
    fn function(&mut self, n: &Variable, part: &mut Part) -> bool {
        let (name, number) = (&n.name, &n.name[1..]);
        part.declarations.push(format!(
            "function turn{number}\n  input Integer k;\n  input Boolean up;\n  output Integer next;\nalgorithm\n  next := 2*k + 1;\n  \
             if up then\n    next := next + 1;\n  end if;\n  next := mod(next, 5);\nend turn{number};"
        ));
        let (condition, up, by) = (self.when_condition(), self.boolean(1), self.integer(0));
        let when = |value: String| format!("when {condition} then\n  {name} = {value};\nend when;");
        part.equations
            .push(when(format!("turn{number}(pre({name}) + {by}, {up})")));
        part.instead.push(when(format!(
            "mod(2*(pre({name}) + {by}) + (if {up} then 2 else 1), 5)"
        )));
        true
    }

    fn record(&mut self, variables: &[Variable], part: &mut Part) {
        let (a, n) = (&variables[0], &variables[1]);
        let number = &a.name[1..];
        let starts = (self.constant(Kind::Real), self.constant(Kind::Integer));
        part.declarations.push(format!(
            "record Both{number}\n  discrete Real level;\n  Integer count;\nend Both{number};"
        ));
        part.declarations.push(format!(
            "Both{number} r{number}(level(start = {}, fixed = true), count(start = {}, fixed = true));",
            starts.0, starts.1
        ));
        let (condition, level) = (self.when_condition(), self.real(1));
        let count = match self.dice.chance(50) {
            true => format!("pre(r{number}.count) + 1"),
            false => self.integer(1),
        };
        let aliases = [
            format!("{} = r{number}.level;", a.name),
            format!("{} = r{number}.count;", n.name),
        ];
        part.equations.push(format!(
            "when {condition} then\n  r{number} = Both{number}({level}, {count});\nend when;"
        ));
        part.instead.push(format!(
            "when {condition} then\n  r{number}.level = {level};\n  r{number}.count = {count};\nend when;"
        ));
        part.equations.extend(aliases.clone());
        part.instead.extend(aliases);
    }

    /// What is continuous needs no event.
    fn without_event(&mut self, y: &Variable, part: &mut Part) {
        let moving = self.a_state().unwrap_or_else(|| "time".to_owned());
        let at = *self.dice.pick(&["0.375", "0.625", "1.125"]);
        let forms = [
            "noEvent(if % > # then % - # else 0)",
            "noEvent(if % > # then # else %)",
            "0.5*noEvent(if % < # then # - % else % - #)",
        ];
        let value = self
            .dice
            .pick(&forms)
            .replace('%', &moving)
            .replace('#', at);
        part.equations.push(format!("{} = {value};", y.name));
    }

    /// An algorithm that gives a number and a decision about it.
    fn steps(&mut self, variables: &[Variable], part: &mut Part) {
        let (b, y) = (&variables[0].name, &variables[1].name);
        let (value, condition, other) = (self.real(1), self.condition(0), self.condition(0));
        let at = *self.dice.pick(&["0.6875", "1.1875", "-0.3125"]);
        part.algorithms.extend([
            format!("{y} := {value};"),
            format!("{b} := {other};"),
            format!("if {y} > {at} then\n  {b} := not {b};\n  {y} := {y} - 0.5;\nelseif {condition} then\n  {y} := 0.25;\nend if;"),
        ]);
    }
}
