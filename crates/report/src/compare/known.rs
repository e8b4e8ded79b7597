//! The list of known differences: models whose flat text differs from OpenModelica's, with the reason.
//!
//! ```text
//! # A comment.
//! Model: why all differences of this model are right
//! Other: why the differences below are right
//!   binding r[1]
//!   prefixes n
//! ```

use super::Difference;
use modeshift_base::FxIndexMap;
use std::fmt;

/// Reasons by model.
#[derive(Clone, Debug, Default)]
pub struct Known {
    entries: FxIndexMap<String, Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    reason: String,
    /// Labels of the differences that are explained; all of them if there are none.
    labels: Vec<String>,
}

/// A line that is none of the above.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownError {
    pub line: usize,
    pub text: String,
}

impl fmt::Display for KnownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: `{}` is neither `Model: reason` nor, indented, a difference",
            self.line, self.text
        )
    }
}

/// What a list says about the differences of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// Set if the model is on the list.
    pub reason: Option<String>,
    /// Every difference is explained.
    pub explained: bool,
    /// Labels on the list that no difference has.
    pub stale: Vec<String>,
}

impl Known {
    pub fn read(text: &str) -> Result<Self, KnownError> {
        let mut known = Self::default();
        for (i, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let error = || KnownError {
                line: i + 1,
                text: line.trim().to_owned(),
            };
            if line.starts_with([' ', '\t']) {
                let (_, entry) = known.entries.last_mut().ok_or_else(error)?;
                entry.labels.push(line.trim().to_owned());
            } else {
                let (model, reason) = line.split_once(':').ok_or_else(error)?;
                if reason.trim().is_empty() {
                    return Err(error());
                }
                let entry = Entry {
                    reason: reason.trim().to_owned(),
                    labels: Vec::new(),
                };
                known.entries.insert(model.trim().to_owned(), entry);
            }
        }
        Ok(known)
    }

    pub fn judge(&self, model: &str, differences: &[Difference]) -> Judgement {
        let Some(entry) = self.entries.get(model) else {
            return Judgement {
                explained: differences.is_empty(),
                ..Judgement::default()
            };
        };
        let labels: Vec<String> = differences.iter().map(Difference::label).collect();
        let stale = if entry.labels.is_empty() {
            if differences.is_empty() {
                vec![model.to_owned()]
            } else {
                Vec::new()
            }
        } else {
            entry
                .labels
                .iter()
                .filter(|label| !labels.contains(label))
                .cloned()
                .collect()
        };
        let explained =
            entry.labels.is_empty() || labels.iter().all(|label| entry.labels.contains(label));
        Judgement {
            reason: Some(entry.reason.clone()),
            explained,
            stale,
        }
    }
}
