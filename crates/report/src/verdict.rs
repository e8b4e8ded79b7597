//! Verdicts as documents print them.

use modeshift_restart::verdict::Verdict;
use serde::{Serialize, Serializer};

/// On a model as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelVerdict {
    Accepted,
    Rejected,
}

impl ModelVerdict {
    pub const fn of(rejected: bool) -> Self {
        if rejected {
            Self::Rejected
        } else {
            Self::Accepted
        }
    }
}

/// On a change, for `serialize_with`.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
pub(crate) fn of_change<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.as_str())
}
