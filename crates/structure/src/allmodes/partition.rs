//! Functions from modes to integers, as lists of disjoint mode sets.

use crate::{ModeSets, NodeLimit};
use std::collections::BTreeMap;

/// One piece of a partition: a value and the modes that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<S> {
    pub modes: S,
    pub value: i32,
}

/// A function from modes to integers: disjoint pieces, ascending by value, none of them empty.
pub type Partition<S> = Vec<Piece<S>>;

/// The function that has `value` on `modes` and is undefined elsewhere.
pub(crate) fn constant<M: ModeSets>(sets: &M, value: i32, modes: &M::Set) -> Partition<M::Set> {
    if sets.is_empty(modes) {
        vec![]
    } else {
        vec![Piece {
            modes: modes.clone(),
            value,
        }]
    }
}

/// The modes with this value, if any.
pub(crate) fn modes_with<S>(partition: &[Piece<S>], value: i32) -> Option<&S> {
    partition
        .iter()
        .find(|piece| piece.value == value)
        .map(|piece| &piece.modes)
}

/// The pointwise maximum of constants on mode sets that may overlap.
pub(crate) fn maximum<M: ModeSets>(
    sets: &M,
    contributions: impl IntoIterator<Item = (i32, M::Set)>,
) -> Result<Partition<M::Set>, NodeLimit> {
    let mut by_value: BTreeMap<i32, M::Set> = BTreeMap::new();
    for (value, modes) in contributions {
        match by_value.get_mut(&value) {
            Some(present) => *present = sets.or(present, &modes)?,
            None => {
                by_value.insert(value, modes);
            }
        }
    }
    let mut partition = Vec::with_capacity(by_value.len());
    let mut taken = sets.empty();
    for (value, wanted) in by_value.into_iter().rev() {
        let modes = sets.diff(&wanted, &taken)?;
        if !sets.is_empty(&modes) {
            taken = sets.or(&taken, &modes)?;
            partition.push(Piece { modes, value });
        }
    }
    partition.reverse();
    Ok(partition)
}

/// Adds `by` to the value in `modes`.
pub(crate) fn raise<M: ModeSets>(
    sets: &M,
    partition: &mut Partition<M::Set>,
    modes: &M::Set,
    by: i32,
) -> Result<(), NodeLimit> {
    let mut pieces: BTreeMap<i32, M::Set> = BTreeMap::new();
    let mut add = |value, set: M::Set| -> Result<(), NodeLimit> {
        if sets.is_empty(&set) {
            return Ok(());
        }
        match pieces.get_mut(&value) {
            Some(present) => *present = sets.or(present, &set)?,
            None => {
                pieces.insert(value, set);
            }
        }
        Ok(())
    };
    for piece in partition.iter() {
        let moved = sets.and(&piece.modes, modes)?;
        add(piece.value, sets.diff(&piece.modes, &moved)?)?;
        add(piece.value + by, moved)?;
    }
    *partition = pieces
        .into_iter()
        .map(|(value, modes)| Piece { modes, value })
        .collect();
    Ok(())
}

/// The same function on fewer modes.
pub(crate) fn restricted<M: ModeSets>(
    sets: &M,
    partition: &[Piece<M::Set>],
    modes: &M::Set,
) -> Result<Partition<M::Set>, NodeLimit> {
    let mut pieces = Vec::with_capacity(partition.len());
    for piece in partition {
        let kept = sets.and(&piece.modes, modes)?;
        if !sets.is_empty(&kept) {
            pieces.push(Piece {
                modes: kept,
                value: piece.value,
            });
        }
    }
    Ok(pieces)
}
