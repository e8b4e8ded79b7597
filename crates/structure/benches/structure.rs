//! `cargo bench -p modeshift-structure`: one mode with a million equations, and the families of
//! models whose number of modes doubles with every switch.

use modeshift_structure::testing;
use modeshift_structure::{
    DulmageMendelsohn, SigmaMatrix, block_triangular_form, maximum_matching, sigma_method,
};

fn main() {
    divan::main();
}

/// A chain of 55,000 RC cells: 990,000 equations, one flow sum with 55,000 terms.
mod one_mode {
    use super::*;

    const CELLS: [usize; 2] = [5_500, 55_000];

    fn with_chain<T>(bencher: divan::Bencher, cells: usize, run: impl Fn(&SigmaMatrix) -> T) {
        let matrix = testing::rc_chain(cells);
        bencher.bench_local(|| run(&matrix));
    }

    #[divan::bench(args = CELLS, sample_count = 3)]
    fn build(bencher: divan::Bencher, cells: usize) {
        bencher.bench_local(|| testing::rc_chain(cells));
    }

    #[divan::bench(args = CELLS, sample_count = 3)]
    fn matching(bencher: divan::Bencher, cells: usize) {
        with_chain(bencher, cells, |m| maximum_matching(m.graph()));
    }

    #[divan::bench(args = CELLS, sample_count = 3)]
    fn dulmage_mendelsohn(bencher: divan::Bencher, cells: usize) {
        with_chain(bencher, cells, |m| DulmageMendelsohn::new(m.graph()));
    }

    #[divan::bench(args = CELLS, sample_count = 3)]
    fn sigma(bencher: divan::Bencher, cells: usize) {
        with_chain(bencher, cells, sigma_method);
    }

    #[divan::bench(args = CELLS, sample_count = 3)]
    fn everything(bencher: divan::Bencher, cells: usize) {
        with_chain(bencher, cells, |m| {
            let dm = DulmageMendelsohn::new(m.graph());
            let full = block_triangular_form(m.graph(), &dm.matching);
            let offsets = sigma_method(m).expect("the chain is regular");
            (full, offsets.leading_blocks(m), dm)
        });
    }
}
