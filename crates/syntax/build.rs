//! Generates the parser from `grammar/modelica.lalrpop`.

use std::error::Error;
use std::{env, path::Path};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo speaks to build scripts through the environment"
)]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let grammar = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../grammar");
    lalrpop::Configuration::new()
        .set_in_dir(grammar)
        .set_out_dir(env::var("OUT_DIR")?)
        .emit_rerun_directives(true)
        .process()
}
