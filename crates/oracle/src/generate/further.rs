//! Parts beyond automata, counters and `when`: delays, texts, tables, the end of a run, algorithms in several steps, parameters that initial equations
//! give.

use super::{Kind, Maker, Part, Variable};

/// Kinds of parts in this module.
pub(super) const SHAPES: usize = 7;

impl Maker {
    /// What a part gives to others.
    pub(super) fn further_variables(&mut self, shape: usize) -> Vec<(&'static str, Kind, bool)> {
        match shape {
            0 => vec![("d", Kind::Real, false)],
            1 => vec![("b", Kind::Boolean, true)],
            2 => vec![("u", Kind::Real, false)],
            3 | 5 | 6 => vec![("n", Kind::Integer, true)],
            _ if self.dice.chance(50) => vec![("n", Kind::Integer, true)],
            _ => vec![("b", Kind::Boolean, true)],
        }
    }

    /// Whether its variables are given at events only, so that they may be given at the start by other means.
    pub(super) fn further_part(&mut self, shape: usize, v: &Variable, part: &mut Part) -> bool {
        let (name, number) = (&v.name, v.name[1..].to_owned());
        match shape {
            0 => self.delay(v, part),
            1 => return self.text(v, part),
            2 => self.table(v, part),
            3 => {
                // An array whose elements events choose.
                let (condition, value) = (self.when_condition(), self.integer(1));
                let (index, other) = (self.integer(1), self.integer(0));
                part.declarations.push(format!(
                    "Integer v{number}[3](each start = {}, each fixed = true);",
                    self.dice.below(3)
                ));
                part.equations.push(format!(
                    "{name} = v{number}[1] - v{number}[2] + v{number}[mod({other}, 3) + 1];"
                ));
                part.algorithms.push(format!(
                    "when {condition} then\n  v{number}[mod(pre({name}) + ({index}), 3) + 1] := {value};\nend when;"
                ));
            }
            4 => return self.end_of_run(v, part),
            5 => {
                let (value, by) = (self.integer(1), 2 + self.dice.below(3));
                let (condition, least) = (self.condition(0), self.dice.below(2));
                part.algorithms.push(format!("{name} := {value};"));
                let turn = format!(
                    "if {name} > {by} then\n  {name} := {name} - {by};\n  if {condition} then\n    {name} := {name} - 1;\n  end if;\nend if;"
                );
                part.algorithms.extend([turn.clone(), turn]);
                part.algorithms.push(format!(
                    "if {name} < {least} then\n  {name} := {least};\nend if;"
                ));
            }
            _ => {
                let quarters = 1 + self.dice.below(4);
                part.declarations
                    .push(format!("parameter Real h{number}(fixed = false);"));
                match self.dice.chance(50) {
                    true => part
                        .initial_equations
                        .push(format!("4*h{number} = {quarters};")),
                    false => part.initial_algorithms.push(format!(
                        "h{number} := 0;\nif {quarters} > 0 then\n  h{number} := h{number} + 0.25*{quarters};\nend if;"
                    )),
                }
                let start = *self.dice.pick(&["h#", "0", "0.5*h#", "-0.5"]);
                let value = self.new_value(v);
                part.equations.push(
                    format!("when sample({start}, h#) then\n  {name} = {value};\nend when;")
                        .replace('#', &number),
                );
                return true;
            }
        }
        false
    }

    fn delay(&mut self, v: &Variable, part: &mut Part) {
        let number = &v.name[1..];
        let by = *self.dice.pick(&["0.3", "0.45", "0.25", "0.7"]);
        let source = match self.a_state() {
            Some(x) if self.dice.chance(50) => x,
            _ => {
                self.held_delay = self.dice.chance(60);
                let value = match self.held_delay {
                    true => self.held_real(1),
                    false => self.real(1),
                };
                part.declarations.push(format!("Real q{number};"));
                part.equations.push(format!("q{number} = {value};"));
                format!("q{number}")
            }
        };
        part.equations
            .push(format!("{} = delay({source}, {by});", v.name));
    }

    fn text(&mut self, v: &Variable, part: &mut Part) -> bool {
        let (name, text) = (&v.name, format!("s{}", &v.name[1..]));
        let start = if self.dice.chance(50) { "on" } else { "off" };
        let (pulse, condition) = (self.pulse(), self.condition(1));
        part.declarations
            .push(format!("String {text}(start = \"{start}\", fixed = true);"));
        part.equations.push(match self.dice.below(3) {
            0 => format!("{text} = if {condition} then \"on\" else \"off\";"),
            1 => format!(
                "{text} = if {pulse} then (if pre({text}) == \"on\" then \"off\" else \"on\") else pre({text});"
            ),
            _ => {
                let when = self.when_condition();
                format!(
                    "when {when} then\n  {text} = if {condition} then \"on\" elseif pre({text}) == \"\" then \"on\" else \"off\";\nend when;"
                )
            }
        });
        part.equations.push(format!("{name} = {text} == \"on\";"));
        false
    }

    fn table(&mut self, v: &Variable, part: &mut Part) {
        let (name, number) = (&v.name, &v.name[1..]);
        let [a, b, c] = [(); 3].map(|()| self.constant(Kind::Real));
        let values = format!("{{{a}, {b}, {c}}}");
        match self.read(Kind::Phase).filter(|_| self.dice.chance(60)) {
            Some(p) => {
                part.declarations
                    .push(format!("parameter Real t{number}[Phase] = {values};"));
                part.equations.push(format!("{name} = t{number}[{p}];"));
            }
            None => {
                let index = self.integer(1);
                part.declarations
                    .push(format!("parameter Real t{number}[3] = {values};"));
                part.equations
                    .push(format!("{name} = t{number}[mod({index}, 3) + 1];"));
            }
        }
    }

    fn end_of_run(&mut self, v: &Variable, part: &mut Part) -> bool {
        let name = &v.name;
        let condition = self.condition(0);
        if v.kind == Kind::Boolean && self.dice.chance(50) {
            part.equations
                .push(format!("{name} = terminal() or {condition};"));
            return false;
        }
        let (value, other) = (self.new_value(v), self.new_value(v));
        part.equations.push(match self.dice.below(3) {
            0 => format!("when terminal() then\n  {name} = {value};\nend when;"),
            1 => format!(
                "when {condition} then\n  {name} = {other};\nelsewhen terminal() then\n  {name} = {value};\nend when;"
            ),
            _ => format!("when {{terminal(), {condition}}} then\n  {name} = {value};\nend when;"),
        });
        true
    }
}
