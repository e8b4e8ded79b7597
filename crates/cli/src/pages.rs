//! The pages of `docs/diagnostics`, compiled in.

use modeshift_diag::Code;

static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page that explains `code`.
pub fn page(code: Code) -> Option<&'static str> {
    let index = PAGES
        .binary_search_by_key(&code.as_str(), |(name, _)| name)
        .ok()?;
    PAGES.get(index).map(|(_, page)| *page)
}
