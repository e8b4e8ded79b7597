//! Random hybrid models.
//!
//! A model is a list of parts: a state, an automaton, a counter, a `when`, an algorithm, an alias, nested branches. Each part may read the current
//! values of parts before it, the left limits of all discrete variables, and all states; so equations can always be
//! sorted, but their order in the text is shuffled. Numbers are small binary fractions. Thresholds of states are odd
//! eighths and the values they are set to are quarters, so that nothing lands on a threshold.

mod events;
mod further;
mod users;

use std::fmt::Write as _;

/// Kinds of parts in this module.
const SHAPES: usize = 12;

/// Kinds from here on are those of [`events`].
const EVENTS: usize = SHAPES + further::SHAPES;

/// Kinds from here on are those of [`users`].
const USERS: usize = EVENTS + events::SHAPES;

/// What closes the clutch of a model that has one.
pub const LOCK: &str = "locked";

/// Numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Real,
    Integer,
    Boolean,
    Phase,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Real => "Real",
            Self::Integer => "Integer",
            Self::Boolean => "Boolean",
            Self::Phase => "Phase",
        }
    }
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    /// Has a left limit that anyone may read.
    discrete: bool,
    state: bool,
    /// Its first left limit is beyond doubt.
    fixed: bool,
}

/// What can be left out of a model together.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub declarations: Vec<String>,
    pub initial_equations: Vec<String>,
    pub initial_algorithms: Vec<String>,
    pub equations: Vec<String>,
    pub algorithms: Vec<String>,
    /// Equations with the same meaning for the interpreter, which knows no change of structure.
    pub instead: Vec<String>,
}

/// A model as a list of parts.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub parts: Vec<Part>,
}

impl Model {
    pub fn text(&self) -> String {
        self.written(false)
    }

    /// The same without changes of structure: jumps are written out.
    pub fn reference(&self) -> String {
        self.written(true)
    }

    fn written(&self, reference: bool) -> String {
        let mut out = format!(
            "model {}\n  type Phase = enumeration(idle, busy, done);\n",
            self.name
        );
        let mut section = |title: &str, of: &dyn Fn(&Part) -> &Vec<String>| {
            let lines: Vec<&String> = self.parts.iter().flat_map(of).collect();
            if !lines.is_empty() && !title.is_empty() {
                let _ = writeln!(out, "{title}");
            }
            for line in lines {
                let _ = writeln!(out, "  {}", line.replace('\n', "\n  "));
            }
        };
        section("", &|part| &part.declarations);
        section("initial equation", &|part| &part.initial_equations);
        section(
            "equation",
            &|part| match reference && !part.instead.is_empty() {
                true => &part.instead,
                false => &part.equations,
            },
        );
        for (title, of) in [
            (
                "initial algorithm",
                (|part| &part.initial_algorithms) as fn(&Part) -> &Vec<String>,
            ),
            ("algorithm", |part| &part.algorithms),
        ] {
            for lines in self.parts.iter().map(of).filter(|lines| !lines.is_empty()) {
                let _ = writeln!(out, "{title}\n  {}", lines.join("\n").replace('\n', "\n  "));
            }
        }
        let _ = writeln!(out, "end {};", self.name);
        out
    }
}

/// The model of a seed.
pub fn model(seed: u64) -> Model {
    let mut maker = Maker {
        dice: Dice::new(seed),
        known: Vec::new(),
        promised: Vec::new(),
        set: Vec::new(),
        held_delay: false,
    };
    Model {
        name: format!("Hybrid{seed}"),
        parts: maker.parts(),
    }
}

/// The model of a seed beside a clutch that its discrete variables close and open.
pub fn model_with_clutch(seed: u64) -> Model {
    let mut maker = Maker {
        dice: Dice::new(seed),
        known: Vec::new(),
        promised: Vec::new(),
        set: Vec::new(),
        held_delay: false,
    };
    let mut parts = maker.parts();
    parts.push(maker.clutch());
    Model {
        name: format!("Clutch{seed}"),
        parts,
    }
}

struct Maker {
    dice: Dice,
    /// Variables whose current value may be read.
    known: Vec<Variable>,
    /// Discrete variables whose left limit may be read.
    promised: Vec<Variable>,
    /// States that some `when` sets anew: one for each.
    set: Vec<String>,
    /// What is delayed is constant between events.
    held_delay: bool,
}

impl Maker {
    fn parts(&mut self) -> Vec<Part> {
        let states = self.dice.below(4);
        for i in 1..=states {
            self.known.push(Variable {
                name: format!("x{i}"),
                kind: Kind::Real,
                discrete: false,
                state: true,
                fixed: true,
            });
        }
        // What will be there is decided first, so that left limits can go round.
        let count = 1 + self.dice.below(6);
        let all = USERS + users::SHAPES;
        let mut shapes: Vec<usize> = (0..count).map(|_| self.dice.below(all)).collect();
        // Delays of delays repeat each other without end.
        let mut delays = 0;
        shapes.retain(|&shape| {
            delays += usize::from(shape == SHAPES);
            shape != SHAPES || delays == 1
        });
        let mut plan: Vec<Vec<Variable>> = Vec::new();
        for (i, &shape) in shapes.iter().enumerate() {
            let variables = self.variables(i + 1, shape);
            self.promised
                .extend(variables.iter().filter(|v| v.discrete).cloned());
            plan.push(variables);
        }
        let mut parts = Vec::new();
        for (shape, mut variables) in shapes.into_iter().zip(plan) {
            let part = self.part(shape, &variables);
            for v in &mut variables {
                v.fixed = part
                    .declarations
                    .iter()
                    .any(|line| line.contains(&format!(" {}(", v.name)) && line.contains("fixed"));
            }
            parts.push(part);
            self.known.extend(variables);
        }
        for i in 1..=states {
            parts.push(self.state(i));
        }
        parts.push(Part {
            declarations: vec!["parameter Real level = 0.4375;".to_owned()],
            ..Part::default()
        });
        // The order of the text is not the order of evaluation.
        for i in (1..parts.len()).rev() {
            parts.swap(i, self.dice.below(i + 1));
        }
        parts
    }

    /// Two inertias that turn together where a condition holds. It closes after the start only, so that the speeds at the start
    /// are free, and nobody reads them: what others see of a jump depends on how it is written.
    fn clutch(&mut self) -> Part {
        let condition = self.boolean(1);
        let lines = |list: &[&str]| list.iter().map(|line| (*line).to_owned()).collect();
        let locked = format!("locked = time > 0.1875 and {condition};");
        let [first, second] = ["der(w1) = 1 - tau;", "der(w2) = tau - 0.25;"];
        Part {
            declarations: lines(&[
                "Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;",
                "Boolean locked(start = false, fixed = true);",
            ]),
            equations: lines(&[
                &locked,
                first,
                second,
                "if locked then\n  w1 = w2;\nelse\n  tau = 0;\nend if;",
            ]),
            instead: lines(&[
                &locked,
                first,
                second,
                "tau = if locked then 0.625 else 0;",
                "when locked then\n  reinit(w1, 0.5*(pre(w1) + pre(w2)));\n  reinit(w2, 0.5*(pre(w1) + pre(w2)));\nend when;",
            ]),
            ..Part::default()
        }
    }

    fn variables(&mut self, number: usize, shape: usize) -> Vec<Variable> {
        let mut list = Vec::new();
        let mut add = |prefix: &str, kind: Kind, discrete: bool| {
            list.push(Variable {
                name: format!("{prefix}{number}"),
                kind,
                discrete,
                state: false,
                fixed: false,
            });
        };
        match shape {
            0 | 1 => add("b", Kind::Boolean, true),
            2 => add("n", Kind::Integer, true),
            3 => add("p", Kind::Phase, true),
            4 => add("u", Kind::Real, false),
            5 => add("y", Kind::Real, false),
            // An alias, or something given by nested branches.
            10 | 11 => {
                let kinds = [Kind::Real, Kind::Integer, Kind::Boolean, Kind::Phase];
                let kind = kinds[self.dice.below(4)];
                add("c", kind, kind != Kind::Real);
            }
            USERS.. => {
                for (prefix, kind, discrete) in self.user_variables(shape - USERS) {
                    add(prefix, kind, discrete);
                }
            }
            EVENTS.. => {
                for (prefix, kind, discrete) in self.event_variables(shape - EVENTS) {
                    add(prefix, kind, discrete);
                }
            }
            SHAPES.. => {
                for (prefix, kind, discrete) in self.further_variables(shape - SHAPES) {
                    add(prefix, kind, discrete);
                }
            }
            // Given by `when` or by an algorithm.
            _ => {
                let all = [
                    ("a", Kind::Real),
                    ("n", Kind::Integer),
                    ("b", Kind::Boolean),
                    ("p", Kind::Phase),
                ];
                let first = self.dice.below(4);
                for k in 0..=self.dice.below(2) {
                    let (prefix, kind) = all[(first + k) % 4];
                    add(prefix, kind, true);
                }
            }
        }
        list
    }

    fn part(&mut self, shape: usize, variables: &[Variable]) -> Part {
        let mut part = Part::default();
        let (mut initial, mut held) = (false, matches!(shape, 6 | 7));
        let v = &variables[0];
        match shape {
            0 => {
                // Hysteresis, if there is a state; else any memory.
                let (on, off) = (self.condition(1), self.condition(1));
                let name = &v.name;
                part.equations
                    .push(format!("{name} = {on} or pre({name}) and not ({off});"));
            }
            1 => {
                let value = self.boolean(2);
                part.equations.push(format!("{} = {value};", v.name));
            }
            2 => {
                let (when, value, name) = (self.pulse(), self.integer(1), &v.name);
                let value = match self.dice.below(3) {
                    0 => format!("pre({name}) + 1"),
                    1 => format!("mod(pre({name}) + 1, 3)"),
                    _ => value,
                };
                part.equations
                    .push(format!("{name} = if {when} then {value} else pre({name});"));
            }
            3 => {
                let (a, b, c, name) = (self.pulse(), self.pulse(), self.pulse(), &v.name);
                part.equations.push(format!(
                    "{name} = if pre({name}) == Phase.idle and {a} then Phase.busy elseif pre({name}) == Phase.busy and \
                     ({b}) then Phase.done elseif {c} then Phase.idle else pre({name});"
                ));
            }
            4 => {
                let value = self.held_real(1);
                let sign = if self.dice.chance(30) { "-" } else { "" };
                let line = match self.dice.below(3) {
                    0 => format!("{} = {sign}({value});", v.name),
                    1 => format!("0 = {sign}({value}) - {};", v.name),
                    _ => format!("{} - ({value}) = 0.5;", v.name),
                };
                part.equations.push(line);
            }
            5 if self.dice.chance(30) => {
                let value = self.real(1);
                part.equations.push(format!("{} = {value};", v.name));
            }
            5 => {
                let (c, a, b, name) = (self.boolean(1), self.held_real(1), self.real(1), &v.name);
                part.equations.push(format!(
                    "if {c} then\n  {name} = {a};\nelse\n  {name} = {b};\nend if;"
                ));
            }
            6 | 7 => {
                let text = self.when_equation(variables);
                initial = text.starts_with("when {initial()");
                part.equations.push(text);
            }
            8 => part.algorithms.extend(self.when_algorithm(variables)),
            10 => {
                let value = self.alias_of(v.kind);
                part.equations.push(match self.dice.below(3) {
                    0 => format!("{value} = {};", v.name),
                    _ => format!("{} = {value};", v.name),
                });
            }
            11 => part.equations.push(self.nested_branches(v)),
            USERS.. => held = self.user_part(shape - USERS, variables, &mut part),
            EVENTS.. => held = self.event_part(shape - EVENTS, variables, &mut part),
            SHAPES.. => held = self.further_part(shape - SHAPES, v, &mut part),
            _ => part.algorithms.extend(self.algorithm(variables)),
        }
        for v in variables {
            self.declare(v, held && !initial, &mut part);
        }
        part
    }

    /// A variable, perhaps with the other sign: the equation with it makes an alias.
    fn alias_of(&mut self, kind: Kind) -> String {
        let known = self.known.iter().filter(|v| v.kind == kind);
        let known: Vec<String> = known.map(|v| v.name.clone()).collect();
        if known.is_empty() {
            return self.constant(kind);
        }
        let name = self.dice.pick(&known).clone();
        match kind {
            Kind::Boolean if self.dice.chance(30) => format!("not {name}"),
            Kind::Real | Kind::Integer if self.dice.chance(30) => format!("-{name}"),
            _ => name,
        }
    }

    fn nested_branches(&mut self, v: &Variable) -> String {
        let name = &v.name;
        let [a, b, c, d] = [(); 4].map(|()| self.some_value(v));
        let (p, q, r) = (self.condition(1), self.condition(0), self.condition(0));
        format!(
            "if {p} then\n  if {q} then\n    {name} = {a};\n  else\n    {name} = {b};\n  end if;\nelseif {r} then\n  \
             {name} = {c};\nelse\n  {name} = {d};\nend if;"
        )
    }

    /// The declaration, with one of the ways to give a first value.
    ///
    /// Where an equation gives the value at the start, too, an initial equation may only speak of the left limit; a
    /// variable that is `held` has no such equation.
    fn declare(&mut self, v: &Variable, held: bool, part: &mut Part) {
        let prefix = if v.kind == Kind::Real && v.discrete {
            "discrete "
        } else {
            ""
        };
        let kind = v.kind.name();
        let name = &v.name;
        if !v.discrete {
            part.declarations.push(format!("{prefix}{kind} {name};"));
            return;
        }
        let start = self.constant(v.kind);
        match self.dice.below(if held { 6 } else { 4 }) {
            0 | 1 => part.declarations.push(format!(
                "{prefix}{kind} {name}(start = {start}, fixed = true);"
            )),
            2 => part
                .declarations
                .push(format!("{prefix}{kind} {name}(start = {start});")),
            3 => {
                part.declarations.push(format!("{prefix}{kind} {name};"));
                let known: Vec<String> = self
                    .known
                    .iter()
                    .filter(|w| w.discrete && w.fixed && w.kind == v.kind)
                    .map(|w| format!("pre({})", w.name))
                    .collect();
                let value = if !known.is_empty() && self.dice.chance(30) {
                    self.dice.pick(&known).clone()
                } else {
                    start
                };
                part.initial_equations
                    .push(format!("pre({name}) = {value};"));
            }
            4 => {
                part.declarations.push(format!("{prefix}{kind} {name};"));
                part.initial_equations.push(format!("{name} = {start};"));
            }
            _ => {
                part.declarations.push(format!("{prefix}{kind} {name};"));
                part.initial_algorithms.push(format!("{name} := {start};"));
            }
        }
    }

    fn when_equation(&mut self, variables: &[Variable]) -> String {
        let initial = self.dice.chance(10);
        let mut text = String::new();
        let branches = 1 + self.dice.below(2);
        let state = self.a_state().filter(|x| !self.set.contains(x));
        for branch in 0..branches {
            let condition = if initial && branch == 0 {
                format!("{{initial(), {}}}", self.boolean(1))
            } else {
                self.when_condition()
            };
            let word = if branch == 0 { "when" } else { "elsewhen" };
            let _ = writeln!(text, "{word} {condition} then");
            for v in variables {
                let value = self.new_value(v);
                if self.dice.chance(15) {
                    let (condition, other) = (self.condition(0), self.new_value(v));
                    let _ = writeln!(
                        text,
                        "  if {condition} then\n    {0} = {value};\n  else\n    {0} = {other};\n  end if;",
                        v.name
                    );
                } else {
                    let _ = writeln!(text, "  {} = {value};", v.name);
                }
            }
            if !initial
                && let Some(x) = &state
                && self.dice.chance(25)
            {
                self.set.push(x.clone());
                let value = match self.dice.below(4) {
                    0 => format!("-0.5*{x}"),
                    3 => format!("0.25 - 0.5*pre({x})"),
                    1 => self.constant(Kind::Real),
                    _ => format!("{x} + 0.5"),
                };
                let _ = writeln!(text, "  reinit({x}, {value});");
            }
        }
        text + "end when;"
    }

    fn when_algorithm(&mut self, variables: &[Variable]) -> Vec<String> {
        let mut lines = Vec::new();
        let condition = if self.dice.chance(10) {
            format!("{{initial(), {}}}", self.boolean(1))
        } else {
            self.when_condition()
        };
        let mut text = format!("when {condition} then\n");
        for v in variables {
            let value = self.new_value(v);
            let _ = writeln!(text, "  {} := {value};", v.name);
        }
        if self.dice.chance(30) {
            let condition = self.when_condition();
            let value = self.new_value(&variables[0]);
            let _ = writeln!(
                text,
                "elsewhen {condition} then\n  {} := {value};",
                variables[0].name
            );
        }
        lines.push(text + "end when;");
        if self.dice.chance(30) && variables[0].kind != Kind::Real {
            // A second `when` sees what the first one left.
            let v = &variables[0];
            let (condition, value) = (self.when_condition(), self.new_value(v));
            lines.push(format!(
                "when {condition} then\n  {} := {value};\nend when;",
                v.name
            ));
        }
        lines
    }

    /// Without `when`: discrete values other than reals.
    fn algorithm(&mut self, variables: &[Variable]) -> Vec<String> {
        let mut lines = Vec::new();
        for v in variables {
            if v.kind == Kind::Real {
                let (condition, value) = (self.when_condition(), self.new_value(v));
                lines.push(format!(
                    "when {condition} then\n  {} := {value};\nend when;",
                    v.name
                ));
                continue;
            }
            let (condition, value) = (self.pulse(), self.new_value(v));
            let name = &v.name;
            lines.push(format!(
                "if {condition} then\n  {name} := {value};\nend if;"
            ));
            if v.kind == Kind::Integer && self.dice.chance(40) {
                lines.push(format!("if {name} > 4 then\n  {name} := 0;\nend if;"));
            }
        }
        lines
    }

    fn state(&mut self, number: usize) -> Part {
        let mut part = Part::default();
        let name = format!("x{number}");
        let below = format!("x{}", self.dice.below(number));
        let slope = if number > 1 && below != "x0" && self.dice.chance(15) {
            format!("{}*{below}", self.dice.pick(&["0.5", "-1", "1"]))
        } else if let Some(d) = self.delayed().filter(|_| self.dice.chance(30)) {
            format!("0.5*{d}")
        } else {
            self.held_real(1)
        };
        let start = self.constant(Kind::Real);
        if self.dice.chance(70) {
            part.declarations
                .push(format!("Real {name}(start = {start}, fixed = true);"));
        } else {
            part.declarations.push(format!("Real {name};"));
            part.initial_equations.push(format!("{name} = {start};"));
        }
        part.equations.push(match self.dice.below(5) {
            0 => format!("2*der({name}) = {slope};"),
            1 => format!("{slope} - der({name}) = 0;"),
            _ => format!("der({name}) = {slope};"),
        });
        part
    }

    fn a_state(&mut self) -> Option<String> {
        let states: Vec<String> = self
            .known
            .iter()
            .filter(|v| v.state)
            .map(|v| v.name.clone())
            .collect();
        (!states.is_empty()).then(|| self.dice.pick(&states).clone())
    }

    fn constant(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Real => (*self
                .dice
                .pick(&["0", "0.25", "0.5", "1", "(-0.5)", "1.5", "(-1)", "2"]))
            .to_owned(),
            Kind::Integer => self.dice.below(4).to_string(),
            Kind::Boolean => self.dice.chance(50).to_string(),
            Kind::Phase => format!("Phase.{}", self.dice.pick(&["idle", "busy", "done"])),
        }
    }

    /// A variable of this kind, or its left limit.
    fn read(&mut self, kind: Kind) -> Option<String> {
        let known = self.known.iter().filter(|v| v.kind == kind && !v.state);
        let mut list: Vec<String> = known.map(|v| v.name.clone()).collect();
        let promised = self.promised.iter().filter(|v| v.kind == kind);
        list.extend(promised.map(|v| format!("pre({})", v.name)));
        (!list.is_empty()).then(|| self.dice.pick(&list).clone())
    }

    /// A discrete variable whose current value may be read.
    fn current(&mut self, kind: Option<Kind>) -> Option<String> {
        let fits = |v: &&Variable| v.discrete && kind.is_none_or(|kind| v.kind == kind);
        let list: Vec<String> = self
            .known
            .iter()
            .filter(fits)
            .map(|v| v.name.clone())
            .collect();
        (!list.is_empty()).then(|| self.dice.pick(&list).clone())
    }

    /// A relation that can be an event.
    fn relation(&mut self) -> String {
        let op = *self.dice.pick(&[">", ">=", "<", "<="]);
        match (self.dice.below(10), self.a_state()) {
            (0..=5, Some(x)) => {
                let threshold = *self.dice.pick(&[
                    "0.125", "0.375", "0.625", "1.125", "-0.375", "-0.875", "level", "2*level",
                ]);
                format!("{x} {op} {threshold}")
            }
            (6, Some(x)) => format!("2*{x} + time {op} 1.0625"),
            (8, _) => match self.algebraic() {
                Some(y) => format!(
                    "{y} {op} {}",
                    self.dice.pick(&["0.6875", "-0.3125", "1.1875"])
                ),
                None => self.time_relation(op),
            },
            (7, _) => match self.read(Kind::Integer) {
                Some(n) => format!("{n} {op} {}", self.dice.below(4)),
                None => self.time_relation(op),
            },
            _ => self.time_relation(op),
        }
    }

    /// A real variable that is neither a state nor discrete.
    fn algebraic(&mut self) -> Option<String> {
        let fits = |v: &&Variable| v.kind == Kind::Real && !v.discrete && !v.state;
        let list: Vec<String> = self
            .known
            .iter()
            .filter(fits)
            .map(|v| v.name.clone())
            .collect();
        (!list.is_empty()).then(|| self.dice.pick(&list).clone())
    }

    /// What a delay gives, where that is constant between events.
    fn delayed(&self) -> Option<String> {
        let found = self.known.iter().find(|v| v.name.starts_with('d'))?;
        self.held_delay.then(|| found.name.clone())
    }

    fn time_relation(&mut self, op: &str) -> String {
        let at = *self.dice.pick(&[
            "0.25", "0.5", "0.75", "1", "1.25", "1.5", "1.75", "2", "2.25",
        ]);
        format!("time {op} {at}")
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.dice.below(6) {
            0..=2 => self.relation(),
            3 => match self.read(Kind::Phase) {
                Some(p) => format!("{p} == {}", self.constant(Kind::Phase)),
                None => self.relation(),
            },
            4 if depth > 0 => format!("({} and {})", self.condition(0), self.condition(0)),
            _ => self.read(Kind::Boolean).unwrap_or_else(|| self.relation()),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.condition(0);
        }
        match self.dice.below(6) {
            0 => format!("not ({})", self.boolean(depth - 1)),
            1 => format!("({} or {})", self.boolean(depth - 1), self.condition(0)),
            2 => format!("({} and {})", self.boolean(depth - 1), self.condition(0)),
            3 => self.pulse(),
            4 if self.dice.chance(10) => format!("(initial() or {})", self.condition(0)),
            _ => self.condition(1),
        }
    }

    /// Something that is true for an instant only, most of the time.
    fn pulse(&mut self) -> String {
        let choice = self.dice.below(5);
        if choice == 4 && self.dice.chance(50) {
            return self.sample();
        }
        if choice == 0
            && let Some(v) = self.current(None)
        {
            return format!("change({v})");
        }
        match self.current(Some(Kind::Boolean)) {
            Some(b) if choice < 3 => format!("edge({b})"),
            _ => self.condition(0),
        }
    }

    fn sample(&mut self) -> String {
        let start = *self.dice.pick(&["0", "0.25", "0.5", "0.125"]);
        let interval = *self.dice.pick(&["0.25", "0.5", "0.375", "1"]);
        format!("sample({start}, {interval})")
    }

    fn when_condition(&mut self) -> String {
        match self.dice.below(8) {
            0 | 1 => self.sample(),
            2 => format!("{{{}, {}}}", self.sample(), self.condition(0)),
            3 => format!("{} and {}", self.sample(), self.condition(0)),
            4 => self.pulse(),
            5 => format!("{{{}, {}}}", self.boolean(1), self.pulse()),
            _ => self.boolean(1),
        }
    }

    /// A value of this variable's kind.
    fn some_value(&mut self, v: &Variable) -> String {
        match v.kind {
            Kind::Real => self.held_real(1),
            Kind::Integer => self.integer(1),
            Kind::Boolean => self.boolean(1),
            Kind::Phase => self
                .read(Kind::Phase)
                .unwrap_or_else(|| self.constant(Kind::Phase)),
        }
    }

    /// What an event gives a variable.
    fn new_value(&mut self, v: &Variable) -> String {
        let name = &v.name;
        match v.kind {
            Kind::Real => match self.dice.below(4) {
                0 => format!("pre({name}) + 0.5"),
                1 => "time".to_owned(),
                2 => self.real(1),
                _ => self.held_real(1),
            },
            Kind::Integer => match self.dice.below(3) {
                0 => format!("pre({name}) + 1"),
                _ => self.integer(1),
            },
            Kind::Boolean => match self.dice.below(3) {
                0 => format!("not pre({name})"),
                _ => self.boolean(1),
            },
            Kind::Phase => {
                let (condition, a) = (self.condition(0), self.constant(Kind::Phase));
                let b = self
                    .read(Kind::Phase)
                    .unwrap_or_else(|| "Phase.done".to_owned());
                format!("if {condition} then {a} else {b}")
            }
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        let leaf = self.read(Kind::Integer).unwrap_or_else(|| "1".to_owned());
        if depth == 0 {
            return leaf;
        }
        let constant = self.constant(Kind::Integer);
        match self.dice.below(10) {
            7 => format!("integer({})", self.between_integers()),
            8 => {
                let by = 2 + self.dice.below(2);
                let name = *self.dice.pick(&["div", "rem", "mod"]);
                format!("{name}({leaf} - {constant}, {by})")
            }
            9 => format!("abs({leaf} - {constant})"),
            0 => constant,
            1 => format!("{leaf} + {constant}"),
            2 => format!("mod({leaf} + {constant}, 4)"),
            3 => format!("if {} then {leaf} else {constant}", self.condition(0)),
            5 => format!(
                "{}({leaf}, {})",
                self.dice.pick(&["min", "max"]),
                self.integer(0)
            ),
            4 => format!("{leaf} - {}", self.integer(0)),
            _ => leaf,
        }
    }

    /// A real that is constant between events.
    fn held_real(&mut self, depth: usize) -> String {
        let constant = self.constant(Kind::Real);
        if depth == 0 {
            return constant;
        }
        match self.dice.below(8) {
            7 => {
                let arg = self.between_integers();
                let parts = ["floor", "ceil"];
                match self.dice.below(3) {
                    i @ 0..=1 => format!("0.5*{}({arg})", parts[i]),
                    _ => format!("0.5*div({arg}, 0.6)"),
                }
            }
            0 => constant,
            1 | 2 => format!(
                "(if {} then {constant} else {})",
                self.condition(0),
                self.held_real(0)
            ),
            3 => match self.read(Kind::Integer) {
                Some(n) => format!("0.5*{n} - {constant}"),
                None => constant,
            },
            4 | 5 => {
                let held = self.current(Some(Kind::Real));
                held.unwrap_or(constant)
            }
            _ => {
                let reals: Vec<String> = self
                    .promised
                    .iter()
                    .filter(|v| v.kind == Kind::Real)
                    .map(|v| v.name.clone())
                    .collect();
                if reals.is_empty() {
                    constant
                } else {
                    format!("pre({}) + {constant}", self.dice.pick(&reals))
                }
            }
        }
    }

    /// A real whose integer part changes: states and thresholds are fractions of two, so this is no integer when they meet.
    fn between_integers(&mut self) -> String {
        let moving = match self.a_state() {
            Some(x) if self.dice.chance(70) => x,
            _ => "time".to_owned(),
        };
        let forms = ["2*% + 0.3", "% - 0.2", "1.5*% + 0.7", "0.4 - 2*%"];
        self.dice.pick(&forms).replace('%', &moving)
    }

    fn real(&mut self, depth: usize) -> String {
        match (self.dice.below(7), self.a_state()) {
            (5, Some(x)) => format!("smooth(0, if {x} > 0.375 then {x} - 0.375 else 0)"),
            (6, Some(x)) => format!("homotopy(0.5*{x}, 1)"),
            (4, _) => {
                let arg = self.between_integers();
                format!("{}({arg}, 0.7)", self.dice.pick(&["mod", "rem"]))
            }
            (0, Some(x)) => x,
            (1, Some(x)) => format!("0.5*{x} + {}", self.constant(Kind::Real)),
            (2, _) => "time".to_owned(),
            _ => self.held_real(depth),
        }
    }
}
