//! Where the server looks for classes: what the client says, and `MODELICAPATH`.

use crate::convert::{PAGE_SCHEME, path_of};
use lsp_types::{InitializeParams, Uri, WorkspaceFoldersChangeEvent};
use modeshift_diag::Code;
use modeshift_driver::{OsSystem, Settings, System};
use std::ffi::OsString;
use std::path::PathBuf;

/// What the server knows of the process it runs in.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub current_dir: PathBuf,
    /// The value of `MODELICAPATH`.
    pub modelica_path: Option<OsString>,
    /// Beyond so many bytes, less is kept of the classes that were not looked at last.
    pub memory_limit: Option<u64>,
    /// The page that explains a diagnostic, in Markdown.
    pub explain: Option<fn(Code) -> Option<&'static str>>,
}

/// Everything that [`Settings`] are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configuration {
    environment: Environment,
    folders: Vec<PathBuf>,
    libraries: Vec<String>,
    /// Where the pages about diagnostics are in the web: `…/diagnostics/` with `MS4001.html` behind it.
    documentation: Option<String>,
}

impl Configuration {
    /// The address of the page about a diagnostic.
    pub fn page(&self, code: Code) -> Option<String> {
        match &self.documentation {
            Some(base) => Some(format!("{}/{code}.html", base.trim_end_matches('/'))),
            None => {
                self.environment.explain?(code)?;
                Some(format!("{PAGE_SCHEME}{code}.md"))
            }
        }
    }

    pub fn explain(&self) -> Option<fn(Code) -> Option<&'static str>> {
        self.environment.explain
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.environment.memory_limit
    }

    pub fn new(environment: Environment, params: &InitializeParams) -> Self {
        let folders = params.workspace_folders.iter().flatten();
        let mut folders: Vec<PathBuf> = folders.map(|folder| path_of(&folder.uri)).collect();
        #[expect(deprecated, reason = "older clients know nothing else")]
        let root: Option<&Uri> = params.root_uri.as_ref();
        if folders.is_empty() {
            folders.extend(root.map(path_of));
        }
        let mut configuration = Self {
            environment,
            folders,
            libraries: Vec::new(),
            documentation: None,
        };
        if let Some(sent) = &params.initialization_options {
            configuration.update(sent);
        }
        configuration
    }

    /// Takes the settings a client sends, `{"libraries": [...], "documentation": "…"}`, be it bare or under `modeshift`. What it does
    /// not mention stays. Whether anything is new.
    pub fn update(&mut self, sent: &serde_json::Value) -> bool {
        let sent = sent.get("modeshift").unwrap_or(sent);
        if let Some(base) = sent.get("documentation").and_then(|it| it.as_str()) {
            self.documentation = (!base.is_empty()).then(|| base.to_owned());
        }
        let Some(libraries) = sent.get("libraries").and_then(|it| it.as_array()) else {
            return false;
        };
        let libraries: Vec<String> = libraries
            .iter()
            .filter_map(|dir| dir.as_str().map(str::to_owned))
            .collect();
        let new = libraries != self.libraries;
        self.libraries = libraries;
        new
    }

    pub fn change_folders(&mut self, event: &WorkspaceFoldersChangeEvent) {
        let removed: Vec<PathBuf> = event.removed.iter().map(|it| path_of(&it.uri)).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        for added in &event.added {
            let added = path_of(&added.uri);
            if !self.folders.contains(&added) {
                self.folders.push(added);
            }
        }
    }

    /// Relative libraries start at the first folder that has them, or else at the directory of the process.
    pub fn settings(&self) -> Settings {
        let base = Settings::in_dir(&self.environment.current_dir).live();
        let settings = self.folders.iter().fold(base, Settings::folder);
        let settings = self.libraries.iter().fold(settings, |settings, library| {
            let places = self.folders.iter().map(|folder| folder.join(library));
            let mut there = places.filter(|dir| OsSystem.list(dir).is_some());
            match there.next() {
                Some(dir) => settings.library(dir),
                None => settings.library(library),
            }
        });
        match &self.environment.modelica_path {
            Some(path) => settings.modelica_path(path, |dir| OsSystem.list(dir).is_some()),
            None => settings,
        }
    }

    /// The library directories that are outside of all folders: a client watches only those it is told to.
    pub fn outside(&self) -> Vec<PathBuf> {
        let settings = self.settings();
        let dirs = settings.library_dirs.into_iter();
        dirs.filter(|dir| !self.folders.iter().any(|folder| dir.starts_with(folder)))
            .collect()
    }
}
