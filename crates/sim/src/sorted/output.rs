//! The signals of a run: every variable of the flat model by its name, and derivatives of states.

use super::lower::Class;
use super::machine::Machine;
use super::slots::{Key, TIME};
use crate::result::{Column, Trajectory};
use modeshift_base::FxHashSet;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::VarRef;

/// So many numbers of a trajectory are made room for beforehand.
const MAX_ROOM: usize = 1 << 27;

enum Source {
    Slot(u32, f64),
    Constant(f64),
}

pub struct Columns {
    columns: Vec<Column>,
    sources: Vec<Source>,
    /// Names of unknowns.
    names: Vec<String>,
    /// Signals that may jump: column and whether it is discrete.
    watched: Vec<(String, u32)>,
}

impl Columns {
    pub fn new(machine: &mut Machine<'_>) -> Self {
        let mut this = Self {
            columns: vec![Column {
                name: "time".to_owned(),
                comment: None,
                parameter: false,
            }],
            sources: Vec::new(),
            names: Vec::new(),
            watched: Vec::new(),
        };
        let flat = machine.lowering.flat;
        for (v, variable) in flat.variables.iter().enumerate() {
            let v = v as u32;
            this.names.push(variable.name.to_string());
            // What the translation of clocks adds is not the model's; what one part gives to another is needed.
            if variable.name.starts_with('$') && !machine.lowering.is_part {
                continue;
            }
            let class = machine.lowering.class_of(v);
            // A trajectory holds numbers.
            if variable.ty == Type::String {
                continue;
            }
            let (source, parameter) = match class {
                Class::Text => continue,
                Class::Constant => {
                    let Ok(reg) = machine.lowering.param(v) else {
                        continue;
                    };
                    let Some(value) = machine.lowering.graph.value(reg) else {
                        continue;
                    };
                    (Source::Constant(value), true)
                }
                _ => {
                    let (unknown, negative) = machine.lowering.aliases.of(v);
                    match machine.sorted.slots.get(Key::Var(unknown, 0)) {
                        Some(slot) => (
                            Source::Slot(slot, if negative { -1.0 } else { 1.0 }),
                            class == Class::Free,
                        ),
                        None => {
                            let start = machine.lowering.start(v).ok();
                            let value =
                                start.and_then(|(reg, _)| machine.lowering.graph.value(reg));
                            (Source::Constant(value.unwrap_or(0.0)), false)
                        }
                    }
                }
            };
            let comment = variable.comment.as_ref().map(ToString::to_string);
            if let Source::Slot(slot, _) = source
                && machine.lowering.aliases.of(v) == (v, false)
                && (class == Class::Discrete || machine.sorted.d.get(&v).is_some_and(|&d| d > 0))
            {
                this.watched.push((variable.name.to_string(), slot));
            }
            this.columns.push(Column {
                name: variable.name.to_string(),
                comment,
                parameter,
            });
            this.sources.push(source);
        }
        for (v, variable) in flat.variables.iter().enumerate() {
            let v = v as u32;
            if machine.lowering.class_of(v) != Class::Continuous || variable.name.starts_with('$') {
                continue;
            }
            let (unknown, negative) = machine.lowering.aliases.of(v);
            if machine.sorted.d.get(&unknown).is_some_and(|&d| d > 0)
                && let Some(slot) = machine.sorted.slots.get(Key::Var(unknown, 1))
            {
                let name = format!("der({})", variable.name);
                this.columns.push(Column {
                    name,
                    comment: None,
                    parameter: false,
                });
                this.sources
                    .push(Source::Slot(slot, if negative { -1.0 } else { 1.0 }));
            }
        }
        this
    }

    /// Without rows, but with room for about so many.
    pub fn trajectory(&self, rows: usize) -> Trajectory {
        let numbers = self.columns.len().saturating_mul(rows + rows / 4 + 2);
        Trajectory {
            columns: self.columns.clone(),
            rows: Vec::with_capacity(numbers.min(MAX_ROOM)),
        }
    }

    /// Adds the current values.
    pub fn record(&self, machine: &Machine<'_>, trajectory: &mut Trajectory) {
        trajectory.rows.push(machine.values[TIME as usize]);
        for source in &self.sources {
            trajectory.rows.push(match source {
                Source::Slot(slot, sign) => sign * machine.values[*slot as usize],
                Source::Constant(value) => *value,
            });
        }
    }

    /// The names of variables in a row that have no value, as far as their slots are not in `told`, which grows.
    pub fn without_value(&self, row: &[f64], told: &mut FxHashSet<u32>) -> Vec<String> {
        let mut names = Vec::new();
        for ((column, source), value) in self.columns[1..].iter().zip(&self.sources).zip(&row[1..])
        {
            if let Source::Slot(slot, _) = source
                && !value.is_finite()
                && told.insert(*slot)
            {
                names.push(column.name.clone());
            }
        }
        names
    }

    /// The name of a variable of the model.
    pub fn name(&self, variable: VarRef) -> Option<String> {
        self.names.get(variable.var.0 as usize).cloned()
    }

    /// States and discrete variables that differ.
    pub fn jumps(&self, before: &[f64], after: &[f64]) -> Vec<(String, f64, f64)> {
        let mut list = Vec::new();
        for (name, slot) in &self.watched {
            let (a, b) = (before[*slot as usize], after[*slot as usize]);
            if (a - b).abs() > 1e-9 * (1.0 + a.abs().max(b.abs())) {
                list.push((name.clone(), a, b));
            }
        }
        list
    }
}
