//! A few hundred random edits, see [`random`]; `examples/random_edits.rs` makes as many as one likes.

mod random;

/// Deep trees need a deep stack, as the server gives its threads.
const STACK: usize = 64 << 20;

#[test]
fn an_incremental_session_says_what_a_fresh_one_says() {
    let edits = || {
        for seed in 1..=3 {
            if let Err(difference) = random::run(seed, 100, |_| {}) {
                panic!("{difference}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(edits);
    thread.expect("a thread").join().expect("no difference");
}

#[test]
fn edits_can_be_chosen_by_bytes() {
    let script = b"what a fuzzer would try, byte by byte";
    let follow = || random::follow(script);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(follow);
    thread.expect("a thread").join().expect("no difference");
}
