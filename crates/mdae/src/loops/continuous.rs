//! Continuous loops: exactly one solution for all known values iff a matrix is a P-matrix.
//!
//! If flipping a comparison `e_j > 0` changes the equations by a multiple `c_j e_j` only, nothing jumps where it flips. With
//! `s = e(z) = s⁺ − s⁻` the loop becomes `N s⁺ − s⁻ = q`, a linear complementarity problem with `N = I + E A⁻¹ C`, and has exactly
//! one solution for every `q` iff all principal minors of `N` are positive (Samelson, Thrall, Wesler). The minors are the
//! determinants of the equations of all valuations, divided by that of one of them. Blocks of `N` are looked at by themselves;
//! where a scaling makes a block symmetric, as it does for circuits of reciprocal elements, it is a P-matrix iff
//! it is positive definite.

use super::case::{Case, Piecewise};
use super::form::{Form, Solved, Sparse};
use crate::sym::Rational;
use modeshift_base::FxHashMap;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;

/// Minors of blocks up to this size are all computed.
const MAX_BLOCK: usize = 14;

type Matrix = Vec<Vec<Rational>>;

/// The equations of a loop or of a group of it as far as they matter for the test: what is known is left out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Slopes {
    /// Coefficients of the unknowns in the usual valuation; the known terms of these forms are the s⁺ of the comparisons, by number.
    pub(super) equations: Vec<Form>,
    /// The comparisons, by number: coefficients of the unknowns.
    pub(super) atoms: Vec<(usize, Sparse)>,
}

impl Slopes {
    /// The unknowns that occur.
    pub(super) fn unknowns(&self) -> impl Iterator<Item = usize> {
        let equations = self.equations.iter().map(|form| &form.unknown);
        let atoms = self.atoms.iter().map(|(_, form)| form);
        equations.chain(atoms).flat_map(|form| form.keys().copied())
    }

    /// `None` if something jumps where a comparison flips. `numbers` are those of the comparisons of the case.
    pub(super) fn new(case: &Case, numbers: &[usize]) -> Option<Self> {
        let mut equations = Vec::with_capacity(case.rows.len());
        for row in &case.rows {
            let (base, jumps) = flips(case, row)?;
            let mut form = Form {
                unknown: base.unknown,
                ..Form::default()
            };
            for (atom, factor) in jumps {
                let factor = if case.usual[atom] { -&factor } else { factor };
                if !factor.is_zero() {
                    form.known.insert(numbers[atom], factor);
                }
            }
            equations.push(form);
        }
        let forms = case.atoms.iter().zip(numbers);
        let atoms = forms.map(|((form, _), &number)| (number, form.unknown.clone()));
        Some(Self {
            equations,
            atoms: atoms.collect(),
        })
    }
}

/// `Some(true)` if there is exactly one solution for all known values, `Some(false)` if the test says no, `None` if the
/// test cannot tell. (The test asks for all `q`; known values may give fewer.) The slopes are those of the groups of a loop with
/// `n` unknowns.
pub(super) fn is_unique(n: usize, groups: &[&Slopes]) -> Option<bool> {
    let matrix = complementarity(n, groups)?;
    let mut result = Some(true);
    for block in blocks(&matrix) {
        match is_p_matrix(&block) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

/// `N`, if the equations of the usual valuation are regular.
fn complementarity(n: usize, groups: &[&Slopes]) -> Option<Matrix> {
    let equations: Vec<Form> = groups
        .iter()
        .flat_map(|group| group.equations.iter().cloned())
        .collect();
    if equations.len() != n {
        return None;
    }
    let solved = Solved::new(equations).ok()?;
    if solved.len() != n {
        return None;
    }
    let atoms: Vec<&(usize, Sparse)> = groups.iter().flat_map(|group| &group.atoms).collect();
    let place: FxHashMap<usize, usize> = atoms
        .iter()
        .enumerate()
        .map(|(place, (number, _))| (*number, place))
        .collect();
    let mut matrix = Vec::with_capacity(atoms.len());
    for (j, (_, form)) in atoms.iter().enumerate() {
        // Against the direction in which the usual valuation holds.
        let own = Form {
            unknown: form.clone(),
            ..Form::default()
        };
        let own = solved.apply(&own);
        if !own.unknown.is_empty() {
            return None;
        }
        let mut line = vec![Rational::zero(); atoms.len()];
        line[j] = Rational::one();
        for (atom, value) in &own.known {
            let at = *place.get(atom)?;
            line[at] = &line[at] - value;
        }
        matrix.push(line);
    }
    // With s⁺ and s⁻ exchanged where the usual valuation is true the matrix is the same: minors are ratios of determinants.
    Some(matrix)
}

/// The form of the usual valuation, and by how much of `e_j` each comparison changes it; `None` if it is not continuous.
fn flips(case: &Case, row: &Piecewise) -> Option<(Form, Vec<(usize, Rational)>)> {
    // A form is possible if some valuation of the other comparisons makes it so.
    let mut allowed = vec![case.allowed.is_none(); row.forms.len()];
    for (bits, possible) in case.allowed.iter().flatten().enumerate() {
        if *possible {
            allowed[row.local(&unpack(bits, case.atoms.len()))] = true;
        }
    }
    let start = row.local(&case.usual);
    let base = row.forms[start].clone()?;
    let mut changes: Vec<Option<Form>> = vec![None; row.atoms.len()];
    let mut seen = vec![false; row.forms.len()];
    seen[start] = true;
    let mut queue = VecDeque::from([start]);
    let minus = Rational::int(-1);
    while let Some(here) = queue.pop_front() {
        for (bit, known) in changes.iter_mut().enumerate() {
            let there = here ^ (1 << bit);
            if !allowed[there] {
                continue;
            }
            let (without, with) = (here & !(1 << bit), here | (1 << bit));
            let without = row.forms[without].as_ref()?;
            let change = row.forms[with].clone()?.plus(without, &minus);
            match known {
                Some(old) if *old != change => return None,
                _ => *known = Some(change),
            }
            if !seen[there] {
                seen[there] = true;
                queue.push_back(there);
            }
        }
    }
    // What can happen but is not reached by single flips says nothing about continuity.
    if (0..row.forms.len()).any(|local| !seen[local] && allowed[local]) {
        return None;
    }
    let mut found = Vec::new();
    for (bit, change) in changes.into_iter().enumerate() {
        let Some(change) = change.filter(|change| !change.is_zero()) else {
            continue;
        };
        let atom = row.atoms[bit];
        found.push((atom, change.ratio(&case.atoms[atom].0)?));
    }
    Some((base, found))
}

/// A valuation from its bits.
pub(super) fn unpack(bits: usize, k: usize) -> Vec<bool> {
    (0..k).map(|bit| bits >> bit & 1 == 1).collect()
}

/// The irreducible diagonal blocks.
fn blocks(matrix: &Matrix) -> Vec<Matrix> {
    let mut graph = DiGraph::<(), ()>::new();
    for _ in matrix {
        graph.add_node(());
    }
    for (i, line) in matrix.iter().enumerate() {
        for (j, value) in line.iter().enumerate() {
            if i != j && !value.is_zero() {
                graph.add_edge(NodeIndex::new(i), NodeIndex::new(j), ());
            }
        }
    }
    petgraph::algo::kosaraju_scc(&graph)
        .into_iter()
        .map(|mut block| {
            block.sort_unstable();
            let pick = |i: &NodeIndex| {
                let line = &matrix[i.index()];
                block.iter().map(|j| line[j.index()].clone()).collect()
            };
            block.iter().map(pick).collect()
        })
        .collect()
}

fn is_positive(value: &Rational) -> bool {
    !value.is_negative() && !value.is_zero()
}

fn is_p_matrix(matrix: &Matrix) -> Option<bool> {
    if !matrix
        .iter()
        .enumerate()
        .all(|(i, line)| is_positive(&line[i]))
    {
        return Some(false);
    }
    if let Some(symmetric) = symmetrized(matrix) {
        return Some(is_positive_definite(symmetric));
    }
    (matrix.len() <= MAX_BLOCK).then(|| all_minors_positive(matrix.clone()))
}

/// The matrix with its rows scaled by positive numbers so that it is symmetric.
fn symmetrized(matrix: &Matrix) -> Option<Matrix> {
    let n = matrix.len();
    let mut scale: Vec<Option<Rational>> = vec![None; n];
    for start in 0..n {
        if scale[start].is_some() {
            continue;
        }
        scale[start] = Some(Rational::one());
        let mut queue = VecDeque::from([start]);
        while let Some(i) = queue.pop_front() {
            for j in 0..n {
                if i == j || matrix[i][j].is_zero() && matrix[j][i].is_zero() {
                    continue;
                }
                let ratio = matrix[i][j].checked_div(&matrix[j][i])?;
                if !is_positive(&ratio) {
                    return None;
                }
                let wanted = scale[i].as_ref()? * &ratio;
                match &scale[j] {
                    Some(old) if *old != wanted => return None,
                    Some(_) => {}
                    None => {
                        scale[j] = Some(wanted);
                        queue.push_back(j);
                    }
                }
            }
        }
    }
    let scaled = matrix.iter().zip(scale).map(|(line, scale)| {
        let scale = scale?;
        Some(line.iter().map(|value| value * &scale).collect())
    });
    scaled.collect()
}

/// By the pivots of Gaussian elimination on the upper half of a symmetric matrix. Cubic.
fn is_positive_definite(mut matrix: Matrix) -> bool {
    let n = matrix.len();
    for at in 0..n {
        let line = std::mem::take(&mut matrix[at]);
        if !is_positive(&line[at]) {
            return false;
        }
        let Some(inverse) = line[at].recip() else {
            return false;
        };
        for i in at + 1..n {
            if line[i].is_zero() {
                continue;
            }
            let factor = &line[i] * &inverse;
            for j in i..n {
                if !line[j].is_zero() {
                    matrix[i][j] = &matrix[i][j] - &(&factor * &line[j]);
                }
            }
        }
    }
    true
}

/// All 2^n principal minors: those without the first row, and with it those of its Schur complement.
fn all_minors_positive(matrix: Matrix) -> bool {
    let mut stack = vec![matrix];
    while let Some(matrix) = stack.pop() {
        let Some(first) = matrix.first() else {
            continue;
        };
        if !is_positive(&first[0]) {
            return false;
        }
        let Some(inverse) = first[0].recip() else {
            return false;
        };
        let without: Matrix = matrix[1..].iter().map(|line| line[1..].to_vec()).collect();
        let schur = matrix[1..]
            .iter()
            .map(|line| {
                let factor = &line[0] * &inverse;
                line[1..]
                    .iter()
                    .zip(&first[1..])
                    .map(|(value, above)| value - &(&factor * above))
                    .collect()
            })
            .collect();
        if without != schur {
            stack.push(schur);
        }
        stack.push(without);
    }
    true
}
