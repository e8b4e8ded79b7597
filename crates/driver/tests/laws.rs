//! Laws that hold for every text: here on the test models and on what is left of them when something is missing.
//!
//! The bodies in `fuzzing` are the same that the fuzz targets in `tools/fuzz` run for longer.

#[path = "laws/fuzzing.rs"]
mod fuzzing;
#[path = "common/models.rs"]
mod models;

/// Of so many test models one is tried.
const STRIDE: usize = 17;

/// Deep trees need a deep stack, as commands and server give their threads.
const STACK: usize = 64 << 20;

/// The text, and the text without one of its lines, three times.
fn variants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let without = |gone: usize| {
        let kept = lines.iter().enumerate().filter(|&(at, _)| at != gone);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    let gone = (1..=3).map(|quarter| lines.len() * quarter / 4);
    std::iter::once(text.to_owned())
        .chain(gone.map(without))
        .collect()
}

fn for_all(law: fn(&str)) {
    let work = move || {
        let models = models::model_files();
        assert!(models.len() > STRIDE, "there are test models");
        for path in models.iter().step_by(STRIDE) {
            let Ok(text) = std::fs::read_to_string(path) else {
                continue;
            };
            variants(&text).iter().for_each(|text| law(text));
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread").join().expect("the law holds");
}

#[test]
fn a_flat_model_can_be_read_again() {
    for_all(fuzzing::flattening);
}

#[test]
fn a_check_ends_with_places_in_texts() {
    for_all(fuzzing::analysis);
}
