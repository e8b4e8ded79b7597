//! Random problems, small enough for the oracles.
#![allow(dead_code, reason = "each test file uses its own part")]

use modeshift_structure::{
    EqId, GuardedEdge, GuardedProblem, ModeSets, SigmaMatrix, Valuation, VarId,
};
use proptest::prelude::*;

/// A signature matrix of at most `size` × `size`, square more often than not.
pub fn matrices(size: usize) -> impl Strategy<Value = SigmaMatrix> {
    (1..=size, 1..=size, any::<bool>(), any::<bool>())
        .prop_flat_map(|(n, m, square, diagonal)| {
            let m = if square { n } else { m };
            let entry = (0..n, 0..m, 0..3i32);
            let entries = proptest::collection::vec(entry, 0..=3 * n);
            (Just((n, m, diagonal)), entries)
        })
        .prop_map(|((n, m, diagonal), mut entries)| {
            if diagonal {
                entries.extend((0..n.min(m)).map(|k| (k, k, 0)));
            }
            let entries: Vec<_> = entries
                .into_iter()
                .map(|(f, x, s)| (EqId::new(f), VarId::new(x), s))
                .collect();
            SigmaMatrix::from_entries(n, m, &entries)
        })
}

/// A guarded problem whose mode sets are truth tables of four mode variables.
#[derive(Clone, Debug)]
pub struct Tables {
    pub active: Vec<u16>,
    pub n_variables: usize,
    /// Equation, variable, σ, modes.
    pub edges: Vec<(usize, usize, i32, u16)>,
    pub care: Vec<u16>,
}

pub const N_MODE_VARS: usize = 4;

/// Truth tables as models have them: always, a literal, a conjunction; sometimes anything.
pub fn tables() -> impl Strategy<Value = u16> {
    let literal = (0..N_MODE_VARS, any::<bool>()).prop_map(|(v, positive)| {
        let table = (0..16)
            .filter(|m| m >> v & 1 == 1)
            .fold(0u16, |t, m| t | 1 << m);
        if positive { table } else { !table }
    });
    prop_oneof![
        4 => Just(u16::MAX),
        4 => literal.clone(),
        2 => (literal.clone(), literal).prop_map(|(a, b)| a & b),
        1 => any::<u16>(),
    ]
}

pub fn problems() -> impl Strategy<Value = Tables> {
    (1..6usize, -1..=1i32, any::<bool>(), any::<bool>())
        .prop_flat_map(|(n, extra, rectangular, partial)| {
            let m = if rectangular {
                (n as i32 + extra).max(1) as usize
            } else {
                n
            };
            let edge = (0..n, 0..m, 0..3i32, tables());
            let edges = proptest::collection::vec(edge, 1..=4 * n);
            let diagonal = proptest::collection::vec((0..2i32, tables()), n.min(m));
            let always = Just(u16::MAX).boxed();
            let activity = if partial { tables().boxed() } else { always };
            let active = proptest::collection::vec(activity, n);
            let care = proptest::collection::vec(tables(), 0..3);
            (Just(m), edges, diagonal, active, care)
        })
        .prop_map(|(n_variables, mut edges, diagonal, active, care)| {
            let diagonal = diagonal.into_iter().enumerate();
            edges.extend(diagonal.map(|(k, (sigma, modes))| (k, k, sigma, modes)));
            Tables {
                active,
                n_variables,
                edges,
                care,
            }
        })
}

/// Bit `m` of a table belongs to this mode.
pub fn mode(m: usize) -> Valuation {
    (0..N_MODE_VARS).map(|v| m >> v & 1 == 1).collect()
}

pub fn set<M: ModeSets>(sets: &M, table: u16) -> M::Set {
    let modes = (0..16).filter(|m| table >> m & 1 == 1);
    sets.union(modes.map(|m| sets.singleton(&mode(m)).unwrap()))
        .unwrap()
}

pub fn problem<M: ModeSets>(sets: &M, tables: &Tables) -> GuardedProblem<M::Set> {
    let edge = |&(f, x, sigma, modes): &(usize, usize, i32, u16)| GuardedEdge {
        equation: EqId::new(f),
        variable: VarId::new(x),
        sigma,
        modes: set(sets, modes),
    };
    GuardedProblem {
        active: tables
            .active
            .iter()
            .map(|&table| set(sets, table))
            .collect(),
        n_variables: tables.n_variables,
        edges: tables.edges.iter().map(edge).collect(),
        care: tables.care.iter().map(|&table| set(sets, table)).collect(),
    }
}
