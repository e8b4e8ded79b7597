//! Puts the pages of `docs/diagnostics` into the binary, for `modeshift explain`.
//!
//! The pages are listed by a build script rather than by hand, so that a new page is one new file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let pages = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?)
        .join("../../docs/diagnostics");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut names: Vec<String> = fs::read_dir(&pages)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("MS") && name.ends_with(".md"))
        .collect();
    names.sort();
    let mut table = String::from("&[\n");
    for name in &names {
        let code = name.trim_end_matches(".md");
        let path = pages.join(name);
        table.push_str(&format!("    ({code:?}, include_str!({path:?})),\n"));
    }
    table.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("pages.rs"), table)
}
