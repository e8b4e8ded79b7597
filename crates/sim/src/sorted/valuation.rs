//! The mode of an ordinary model: what its conditions and Boolean variables are, by name.
//!
//! A condition has the name of what it says, written from its nodes: parameters are numbers there.

use super::lower::{Class, HeldKind};
use super::machine::Machine;
use super::slots::{INITIAL, Key, TERMINAL, TIME};
use crate::tape::{Binary, Op, Reg, Unary};
use modeshift_base::FxHashSet;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;

/// A longer name helps nobody.
const MAX_LENGTH: usize = 100;

/// Names and slots, variables first.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    pub names: Vec<String>,
    slots: Vec<u32>,
    /// By number of the condition: its place among the names.
    places: Vec<Option<u32>>,
}

impl Modes {
    pub fn new(machine: &Machine<'_>) -> Self {
        let mut this = Self::default();
        let lowering = &machine.lowering;
        for v in 0..lowering.class.len() as u32 {
            let own = lowering.class_of(v) == Class::Discrete && lowering.aliases_of(v) == v;
            if own
                && matches!(lowering.variable(v).ty, Type::Boolean)
                && let Some(slot) = machine.sorted.slots.get(Key::Var(v, 0))
            {
                this.names.push(lowering.variable(v).name.to_string());
                this.slots.push(slot);
            }
        }
        let mut known: FxHashSet<String> = FxHashSet::default();
        for held in &lowering.held {
            let HeldKind::Relation(op, a, b) = held.kind else {
                this.places.push(None);
                continue;
            };
            let writer = Writer { machine };
            let name = writer.relation(op, a, b);
            if known.insert(name.clone()) {
                this.places.push(Some(this.names.len() as u32));
                this.names.push(name);
                this.slots.push(held.slot);
            } else {
                this.places.push(None);
            }
        }
        this
    }

    /// What they are now.
    pub fn of(&self, values: &[f64]) -> Vec<bool> {
        let truth = |&slot: &u32| values[slot as usize] == 1.0;
        self.slots.iter().map(truth).collect()
    }

    /// The name of a condition.
    pub fn condition(&self, number: u32) -> Option<&str> {
        let place = self.places.get(number as usize).copied().flatten()?;
        Some(&self.names[place as usize])
    }
}

/// Writes nodes as Modelica.
struct Writer<'m, 'a> {
    machine: &'m Machine<'a>,
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
}

impl Writer<'_, '_> {
    fn relation(&self, op: RelOp, a: Reg, b: Reg) -> String {
        let mut out = String::new();
        self.write_relation(op, a, b, &mut out);
        if out.chars().count() > MAX_LENGTH {
            out = out.chars().take(MAX_LENGTH).collect();
            out.push('…');
        }
        out
    }

    fn write_relation(&self, op: RelOp, a: Reg, b: Reg, out: &mut String) {
        let sign = match op {
            RelOp::Less => " < ",
            RelOp::LessEqual => " <= ",
            RelOp::Greater => " > ",
            RelOp::GreaterEqual => " >= ",
            RelOp::Equal => " == ",
            RelOp::NotEqual => " <> ",
        };
        self.write(a, Level::Sum, out);
        out.push_str(sign);
        self.write(b, Level::Sum, out);
    }

    fn variable(&self, v: u32, order: u32) -> String {
        let lowering = &self.machine.lowering;
        if v as usize >= lowering.class.len() {
            return "…".to_owned();
        }
        let name = &lowering.variable(v).name;
        (0..order).fold(name.to_string(), |name, _| format!("der({name})"))
    }

    fn slot(&self, slot: u32, level: Level, out: &mut String) {
        let lowering = &self.machine.lowering;
        match lowering.slots.key(slot) {
            Some(Key::Var(v, order)) => out.push_str(&self.variable(v, order)),
            Some(Key::Pre(v)) => out.push_str(&format!("pre({})", self.variable(v, 0))),
            Some(Key::Held(i)) => match lowering.held[i as usize].kind {
                HeldKind::Relation(op, a, b) => {
                    self.bracketed(level > Level::Relation, out, |this, out| {
                        this.write_relation(op, a, b, out);
                    });
                }
                HeldKind::Round(op, a) => self.call(op.name().unwrap_or("…"), &[a], out),
            },
            Some(Key::Sample(_)) => out.push_str("sample(…)"),
            Some(Key::Delay(_)) => out.push_str("delay(…)"),
            Some(Key::Transport(_)) => out.push_str("spatialDistribution(…)"),
            None => out.push_str(match slot {
                TIME => "time",
                INITIAL => "initial()",
                TERMINAL => "terminal()",
                _ => "…",
            }),
        }
    }

    fn bracketed(&self, brackets: bool, out: &mut String, inner: impl Fn(&Self, &mut String)) {
        if brackets {
            out.push('(');
        }
        inner(self, out);
        if brackets {
            out.push(')');
        }
    }

    fn call(&self, name: &str, args: &[Reg], out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(arg, Level::Any, out);
        }
        out.push(')');
    }

    fn infix(&self, (a, sign, b): (Reg, &str, Reg), own: Level, level: Level, out: &mut String) {
        let right = match own {
            Level::Sum if sign == " - " => Level::Product,
            Level::Product if sign == "/" => Level::Power,
            _ => own,
        };
        self.bracketed(level > own, out, |this, out| {
            this.write(a, own, out);
            out.push_str(sign);
            this.write(b, right, out);
        });
    }

    fn write(&self, reg: Reg, level: Level, out: &mut String) {
        // What is too long is cut anyway; so the depth is bounded, too.
        if out.len() > 4 * MAX_LENGTH {
            return;
        }
        match self.machine.lowering.graph.op(reg) {
            Op::Const(bits) => {
                let value = f64::from_bits(bits);
                self.bracketed(value < 0.0 && level > Level::Sum, out, |_, out| {
                    out.push_str(&value.to_string());
                });
            }
            Op::Input(slot) => self.slot(slot, level, out),
            Op::Copy(a, _) => self.write(a, level, out),
            Op::Unary(Unary::Neg, a) => self.bracketed(level > Level::Sum, out, |this, out| {
                out.push('-');
                this.write(a, Level::Product, out);
            }),
            Op::Unary(Unary::Not, a) => self.bracketed(level > Level::Not, out, |this, out| {
                out.push_str("not ");
                this.write(a, Level::Relation, out);
            }),
            Op::Unary(op, a) => self.call(op.name().unwrap_or("…"), &[a], out),
            Op::Binary(op, a, b) => match op {
                Binary::Add => self.infix((a, " + ", b), Level::Sum, level, out),
                Binary::Sub => self.infix((a, " - ", b), Level::Sum, level, out),
                Binary::Mul => self.infix((a, "*", b), Level::Product, level, out),
                Binary::Div => self.infix((a, "/", b), Level::Product, level, out),
                Binary::And => self.infix((a, " and ", b), Level::And, level, out),
                Binary::Or => self.infix((a, " or ", b), Level::Or, level, out),
                Binary::Pow => self.bracketed(level > Level::Power, out, |this, out| {
                    this.write(a, Level::Power, out);
                    out.push('^');
                    this.write(b, Level::Power, out);
                }),
                _ => self.call(op.name(), &[a, b], out),
            },
            Op::Power(a, n) => {
                self.write(a, Level::Power, out);
                out.push_str(&format!("^{n}"));
            }
            Op::Compare(op, a, b) => self.bracketed(level > Level::Relation, out, |this, out| {
                this.write_relation(op, a, b, out);
            }),
            Op::Select(c, a, b) => self.bracketed(level > Level::Any, out, |this, out| {
                out.push_str("if ");
                this.write(c, Level::Any, out);
                out.push_str(" then ");
                this.write(a, Level::Any, out);
                out.push_str(" else ");
                this.write(b, Level::Any, out);
            }),
            Op::Join(..) | Op::Call(..) | Op::Result(..) => out.push('…'),
        }
    }
}
