//! Single modes: named by the user, analysed without mode sets.

use super::{Kind, Singular, Structured};
use crate::mode::OneMode;
use crate::model::MDae;
use crate::space::mode_id;
use modeshift_structure::{Indices, ModeStructure, ModeVar};

impl Structured {
    /// Reads a mode from text: `g1=true, x > 0=false`. Conditions left out are false; Booleans that
    /// follow from others may be named to check the mode, not to choose it.
    pub fn read_mode(&self, text: &str) -> Result<Vec<bool>, String> {
        let mut mode = vec![false; self.mdae.modes.len()];
        let mut claims = Vec::new();
        for item in split_items(text) {
            let (name, value) = item.rsplit_once('=').ok_or_else(|| {
                format!("`{item}` is not of the form CONDITION=true or CONDITION=false")
            })?;
            let value = match value.trim() {
                "true" | "1" => true,
                "false" | "0" => false,
                other => return Err(format!("`{other}` is neither true nor false")),
            };
            let name = name.trim();
            let own = self
                .mdae
                .modes
                .ids()
                .find(|&id| *self.mdae.modes[id].name == *name);
            let derived = self
                .mdae
                .derived
                .iter()
                .find(|derived| *derived.name == *name);
            match (own, derived) {
                (Some(id), _) => mode[id.index()] = value,
                (None, Some(derived)) => claims.push((name, derived.value, value)),
                (None, None) => return Err(self.unknown_condition(name)),
            }
        }
        let truth = self.mdae.conds.evaluate(&mode);
        for (name, condition, value) in claims {
            if truth[condition.0 as usize] != value {
                return Err(format!(
                    "`{name}` follows from the other conditions and is {}",
                    !value
                ));
            }
        }
        Ok(mode)
    }

    fn unknown_condition(&self, name: &str) -> String {
        let names: Vec<&str> = self
            .mdae
            .modes
            .iter()
            .filter(|mode| !mode.auxiliary)
            .map(|mode| &*mode.name)
            .take(8)
            .collect();
        format!(
            "there is no condition `{name}`; there are: {}",
            names.join(", ")
        )
    }

    /// The structure of one mode, found without mode sets.
    pub fn mode(&self, valuation: &[bool]) -> (OneMode, ModeStructure) {
        let truth = self.mdae.conds.evaluate(valuation);
        let system = OneMode::new(&self.mdae, &self.rows, &truth);
        let structure = system.structure();
        (system, structure)
    }
}

/// What a single mode is.
pub fn kind_of(system: &OneMode, structure: &ModeStructure) -> Kind {
    match structure {
        ModeStructure::Regular { offsets, .. } => Kind::Regular(Indices {
            index: offsets.index(),
            algebraic: offsets.d.contains(&0),
            degrees_of_freedom: offsets.degrees_of_freedom(),
        }),
        ModeStructure::Singular(parts) => {
            let graph = system.matrix.graph();
            let over = parts.over_witness(graph).unwrap_or_default();
            let under = parts.under_witness(graph).unwrap_or_default();
            Kind::Singular(Singular {
                over_equations: system.equations_of(&over),
                over_variables: system.variables_of(&over),
                under_equations: system.equations_of(&under),
                under_variables: system.variables_of(&under),
            })
        }
    }
}

/// Splits at commas and semicolons outside brackets and quotes.
pub fn split_items(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_u32, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '[' | '(' | '{' if !quoted => depth += 1,
            ']' | ')' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' | ';' if !quoted && depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect()
}

/// The names of mode variables with their values.
pub fn valuation_names<'m>(
    mdae: &'m MDae,
    modes: &[ModeVar],
    values: &[bool],
) -> Vec<(&'m str, bool)> {
    modes
        .iter()
        .zip(values)
        .map(|(&var, &value)| (&*mdae.modes[mode_id(var)].name, value))
        .collect()
}
