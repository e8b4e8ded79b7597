//! The arguments that every command on a model shares, and the session they open.

use crate::config::Config;
use crate::hint;
use crate::sources::Sources;
use crate::ui::{Failure, Ui};
use modeshift_driver::{OsSystem, Session, Settings};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which model a command works on.
#[derive(clap::Args, Debug, Clone)]
pub struct ModelArgs {
    /// Files, packages, and directories with files
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The class to work on; by default the last one of the last file
    #[arg(short, long, value_name = "NAME")]
    pub class: Option<String>,

    /// A directory that holds libraries, or is one; comes before MODELICAPATH
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// Do not use the library that is compiled into modeshift
    #[arg(long)]
    pub no_builtin_library: bool,
}

impl ModelArgs {
    /// A session with the files open and the libraries set. Something to work on must be named.
    pub fn session(&self, ui: &Ui) -> Result<Session, Failure> {
        if self.paths.is_empty() && self.class.is_none() {
            let message = "name a file, or a class of a library with `--class`";
            return Err(Failure::Usage(message.to_owned()));
        }
        self.session_of(self.sources()?, ui)
    }

    /// A session with these files open and the libraries set.
    pub fn session_of(&self, files: Vec<PathBuf>, ui: &Ui) -> Result<Session, Failure> {
        let settings = Settings {
            lints: ui.lints(),
            ..self.settings()?
        };
        let mut session = Session::new(Arc::new(OsSystem), settings);
        for file in files {
            session.open(file);
        }
        Ok(session)
    }

    /// Where functions of the model may read files: its libraries and the directories of its files.
    pub fn resource_dirs(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut dirs = self.settings()?.library_dirs;
        for path in &self.paths {
            let dir = if path.is_dir() {
                Some(path.as_path())
            } else {
                path.parent()
            };
            let dir = dir.filter(|dir| !dir.as_os_str().is_empty());
            dirs.push(dir.map_or_else(|| PathBuf::from("."), Path::to_path_buf));
        }
        Ok(dirs)
    }

    /// The files the paths stand for now.
    pub fn sources(&self) -> Result<Vec<PathBuf>, Failure> {
        Ok(Sources::find(&self.files()?)?.files)
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = Settings::in_dir(env::current_dir()?);
        settings.builtin_library = !self.no_builtin_library;
        for dir in &self.libraries {
            if !dir.is_dir() {
                let hint = hint::near_path(dir);
                let message = format!(
                    "--library {}: there is no such directory{hint}",
                    dir.display()
                );
                return Err(Failure::Usage(message));
            }
            settings = settings.library(dir);
        }
        for dir in Config::find(&settings.base_dir)?.libraries {
            settings = settings.library(dir);
        }
        if let Some(path) = env::var_os("MODELICAPATH") {
            settings = settings.modelica_path(&path, |dir| dir.is_dir());
        }
        Ok(settings)
    }

    /// A directory that is a package stands for its `package.mo`: the rest is found through it.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let package = |path: &Path| Some(path.join("package.mo")).filter(|file| file.is_file());
        Ok(self
            .paths
            .iter()
            .map(|path| package(path).unwrap_or_else(|| path.clone()))
            .collect())
    }
}
