//! Mode sets as sums of products.
//!
//! The irredundant sum of products of Minato and Morreale (Minato, "Fast generation of prime-irredundant
//! covers from binary decision diagrams", 1993): given what must be covered (`lower`) and what may be
//! (`upper`, everything impossible included), split at the last variable; cover with its negative literal
//! what only that half allows, the same with the positive literal, and cover the rest without it. No
//! product of the result can lose a literal, and none can be left out.

use super::{ModeSets, NodeLimit};
use crate::ModeVar;

/// A mode variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub var: ModeVar,
    pub positive: bool,
}

/// A conjunction of literals, ascending by variable; the empty one is true.
pub type Cube = Vec<Literal>;

/// How long a sum of products may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxLength {
    pub cubes: usize,
    /// In all products together.
    pub literals: usize,
}

/// An irredundant sum of products that covers `lower` and stays within `upper` (which must contain
/// `lower`), or `None` if it is longer than `most`. O(products · variables) set operations.
pub fn irredundant_cover<M: ModeSets>(
    sets: &M,
    lower: &M::Set,
    upper: &M::Set,
    most: MaxLength,
) -> Result<Option<Vec<Cube>>, NodeLimit> {
    let mut cubes: Vec<Cube> = Vec::new();
    let mut n_literals = 0;
    let mut stack: Vec<Frame<M::Set>> = Vec::new();
    let mut call = Some((lower.clone(), upper.clone()));
    let mut returned = sets.empty();
    loop {
        if let Some((lower, upper)) = call.take() {
            if sets.is_empty(&lower) {
                returned = sets.empty();
            } else if sets.is_full(&upper) {
                // Every half that is being covered puts its literal before this product.
                n_literals += stack.iter().filter(|frame| frame.is_half()).count();
                if cubes.len() == most.cubes || n_literals > most.literals {
                    return Ok(None);
                }
                cubes.push(Cube::new());
                returned = sets.full();
            } else {
                let mut frame = Frame::new(sets, &lower, &upper, cubes.len());
                call = Some(frame.negative_half(sets)?);
                stack.push(frame);
                continue;
            }
        }
        let Some(frame) = stack.last_mut() else { break };
        match frame.stage {
            Stage::Negative => {
                frame.covered_low = returned.clone();
                frame.label(&mut cubes, false);
                call = Some(frame.positive_half(sets)?);
            }
            Stage::Positive => {
                frame.covered_high = returned.clone();
                frame.label(&mut cubes, true);
                call = Some(frame.both_halves(sets)?);
            }
            Stage::Both => {
                returned = frame.result(sets, &returned)?;
                stack.pop();
            }
        }
    }
    Ok(Some(cubes))
}

enum Stage {
    Negative,
    Positive,
    Both,
}

/// One level of the recursion, kept on a stack of our own.
struct Frame<S> {
    var: ModeVar,
    stage: Stage,
    lower: [S; 2],
    upper: [S; 2],
    covered_low: S,
    covered_high: S,
    /// The first cube of the half that is being covered.
    first: usize,
}

impl<S: Clone> Frame<S> {
    fn is_half(&self) -> bool {
        !matches!(self.stage, Stage::Both)
    }

    fn new<M: ModeSets<Set = S>>(sets: &M, lower: &S, upper: &S, first: usize) -> Self {
        let (l, u) = (sets.split(lower), sets.split(upper));
        let top = |split: &Option<(ModeVar, S, S)>| split.as_ref().map(|(var, ..)| *var);
        let var = [top(&l), top(&u)].into_iter().flatten().max();
        // One of them is neither empty nor full, so that there is a variable.
        let var = var.unwrap_or(ModeVar(0));
        let halves = |set: &S, split: Option<(ModeVar, S, S)>| match split {
            Some((v, high, low)) if v == var => [low, high],
            _ => [set.clone(), set.clone()],
        };
        Self {
            var,
            stage: Stage::Negative,
            lower: halves(lower, l),
            upper: halves(upper, u),
            covered_low: sets.empty(),
            covered_high: sets.empty(),
            first,
        }
    }

    fn negative_half<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        Ok((
            sets.diff(&self.lower[0], &self.upper[1])?,
            self.upper[0].clone(),
        ))
    }

    fn positive_half<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        self.stage = Stage::Positive;
        Ok((
            sets.diff(&self.lower[1], &self.upper[0])?,
            self.upper[1].clone(),
        ))
    }

    fn both_halves<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        self.stage = Stage::Both;
        let low = sets.diff(&self.lower[0], &self.covered_low)?;
        let high = sets.diff(&self.lower[1], &self.covered_high)?;
        Ok((
            sets.or(&low, &high)?,
            sets.and(&self.upper[0], &self.upper[1])?,
        ))
    }

    fn result<M: ModeSets<Set = S>>(&self, sets: &M, both: &S) -> Result<S, NodeLimit> {
        let var = sets.var(self.var)?;
        let high = sets.and(&var, &self.covered_high)?;
        let low = sets.diff(&self.covered_low, &var)?;
        sets.or(&sets.or(&high, &low)?, both)
    }

    /// Adds the literal to the cubes of the half just covered; inner literals are there already.
    fn label(&mut self, cubes: &mut [Cube], positive: bool) {
        for cube in &mut cubes[self.first..] {
            cube.push(Literal {
                var: self.var,
                positive,
            });
        }
        self.first = cubes.len();
    }
}
