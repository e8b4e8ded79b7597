//! Results of calls that were made before: a pure function with equal arguments is not run again, whichever program
//! asks. Programs for residuals, Jacobians and outputs are evaluated at the same point one after the other.

use crate::error::CallError;
use crate::library::Runtime;
use crate::site::{Machines, Site};

/// What is wanted of a function at one point.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Each order adds as many derivatives behind arguments and results, along a direction.
    pub order: u8,
    /// Which of these directions are that of time, by bit: there annotations count that say what belongs together
    /// (`noDerivative`).
    pub times: u8,
    /// Arguments by which results are differentiated.
    pub by: &'a [u16],
}

#[derive(Clone, Debug, Default)]
struct Entry {
    site: u64,
    order: u8,
    times: u8,
    by: Vec<u16>,
    args: Vec<f64>,
    out: Vec<f64>,
}

/// How many results are kept; newer ones take the places of older ones.
const SIZE: usize = 4096;
/// Calls with more numbers are made again.
const MAX_NUMBERS: usize = 500;

/// Machines with results that they gave.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    machines: Machines,
    entries: Vec<Entry>,
}

impl Runtime {
    /// The numbers that a call gives: those of [`Machines::gradient`].
    pub fn evaluate(
        &self,
        site: &Site,
        wanted: Wanted<'_>,
        args: &[f64],
        out: &mut Vec<f64>,
    ) -> Result<(), Box<CallError>> {
        let mut engine = self.engine();
        let Engine { machines, entries } = &mut *engine;
        let n = (site.n_results() << wanted.order) * (1 + wanted.by.len());
        out.clear();
        out.resize(n, 0.0);
        if !site.pure || args.len() + n > MAX_NUMBERS {
            return machines.gradient(self, site, wanted, args, out);
        }
        if entries.is_empty() {
            entries.resize_with(SIZE, Entry::default);
        }
        let entry = &mut entries[place(site.id(), wanted, args)];
        let same = |a: &[f64], b: &[f64]| {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits())
        };
        let hit = entry.site == site.id()
            && entry.order == wanted.order
            && entry.times == wanted.times
            && entry.by == wanted.by
            && same(&entry.args, args);
        if hit {
            out.copy_from_slice(&entry.out);
            return Ok(());
        }
        machines.gradient(self, site, wanted, args, out)?;
        entry.site = site.id();
        entry.order = wanted.order;
        entry.times = wanted.times;
        entry.by.clear();
        entry.by.extend_from_slice(wanted.by);
        entry.args.clear();
        entry.args.extend_from_slice(args);
        entry.out.clear();
        entry.out.extend_from_slice(out);
        Ok(())
    }
}

fn place(site: u64, wanted: Wanted<'_>, args: &[f64]) -> usize {
    let mix =
        |hash: u64, bits: u64| (hash.rotate_left(5) ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let start = mix(site, u64::from(wanted.order) << 32 | wanted.by.len() as u64);
    let hash = args
        .iter()
        .fold(start, |hash, arg| mix(hash, arg.to_bits()));
    // The upper bits depend on all of the input.
    (hash >> 40) as usize % SIZE
}
