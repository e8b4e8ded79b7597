//! `cargo bench -p modeshift-structure`: one mode with a million equations, and the families of
//! models whose number of modes doubles with every switch.

use modeshift_structure::testing;
use modeshift_structure::{
    BddSets, DulmageMendelsohn, SigmaMatrix, analyse_all_modes, block_triangular_form,
    maximum_matching, sigma_method,
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

/// All modes at once. The argument is the number of switches (for the mesh: of nodes along each side).
mod all_modes {
    use super::*;
    use modeshift_structure::{AllModes, BddSet, GuardedProblem, NodeLimit};

    type Family = fn(&BddSets, usize) -> Result<GuardedProblem<BddSet>, NodeLimit>;

    fn analyse(family: Family, n_switches: usize, n: usize) -> AllModes<BddSet> {
        let sets = BddSets::new(n_switches, BddSets::DEFAULT_NODE_LIMIT);
        let problem = family(&sets, n).expect("the model itself is small");
        let result = analyse_all_modes(&sets, &problem);
        assert_eq!(result.over_limit(), None);
        result
    }

    #[divan::bench(args = [1, 10, 100, 1_000, 10_000], sample_count = 3)]
    fn clutches(n: usize) -> AllModes<BddSet> {
        analyse(testing::clutches, n, n)
    }

    #[divan::bench(args = [2, 16, 64, 128, 256], sample_count = 1)]
    fn rldc(n: usize) -> AllModes<BddSet> {
        analyse(testing::rldc, n, n)
    }

    #[divan::bench(args = [10, 100, 1_000], sample_count = 1)]
    fn ladder(n: usize) -> AllModes<BddSet> {
        analyse(testing::ladder, n, n)
    }

    #[divan::bench(args = [10, 100, 1_000], sample_count = 3)]
    fn gearbox(n: usize) -> AllModes<BddSet> {
        analyse(testing::gearbox, n, n)
    }

    #[divan::bench(args = [2, 3, 4], sample_count = 1)]
    fn mesh(side: usize) -> AllModes<BddSet> {
        analyse(
            |sets, side| testing::mesh(sets, side, side),
            2 * side * (side - 1),
            side,
        )
    }
}
