//! What OpenModelica makes of a model: asked now, or recorded once.

use crate::sources::reason;
use crate::ui::Failure;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Where to get its output from.
pub enum Openmodelica {
    Installed {
        omc: PathBuf,
        options: Vec<String>,
        version: Option<String>,
        /// Where it finds libraries, if not where it is used to.
        libraries: Option<OsString>,
    },
    Recorded {
        by_file: BTreeMap<PathBuf, PathBuf>,
        version: Option<String>,
    },
}

/// What omc printed for a model.
pub enum Printed {
    Flat(String),
    /// Its messages.
    Rejected(String),
}

/// The file in a directory of recordings that says which omc made them.
const VERSION: &str = "VERSION";

impl Openmodelica {
    /// The omc asked for, or the recordings, or an omc on the `PATH`.
    pub fn choose(
        omc: Option<&Path>,
        options: &[String],
        recorded: &[PathBuf],
        files: &[PathBuf],
    ) -> Result<Self, Failure> {
        if !recorded.is_empty() {
            return Self::recorded(recorded, files);
        }
        let omc = match omc {
            Some(omc) => omc.to_owned(),
            None => on_path("omc").ok_or_else(|| {
                let message = "there is no `omc` on the PATH; name one with `--omc`, or a directory with what it \
                               printed with `--recorded`";
                Failure::Usage(message.to_owned())
            })?,
        };
        let output = Command::new(&omc)
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        let output = output
            .map_err(|error| Failure::Usage(format!("{}: {}", omc.display(), reason(&error))))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let version = Some(version).filter(|version| !version.is_empty());
        Ok(Self::Installed {
            omc,
            options: options.to_vec(),
            version,
            libraries: None,
        })
    }

    /// The same, with these directories for its libraries.
    pub fn with_libraries(mut self, dirs: &[PathBuf]) -> Self {
        if let Self::Installed { libraries, .. } = &mut self
            && !dirs.is_empty()
        {
            let path = env::var_os("OPENMODELICALIBRARY").unwrap_or_default();
            let usual = env::split_paths(&path).filter(|dir| !dir.as_os_str().is_empty());
            *libraries = env::join_paths(dirs.iter().cloned().chain(usual)).ok();
        }
        self
    }

    /// A recording is called after the file, in a directory or in one below it that is called after the file's;
    /// if several files have the name, it is that of the file beside the directory.
    fn recorded(dirs: &[PathBuf], files: &[PathBuf]) -> Result<Self, Failure> {
        let mut same_name: BTreeMap<OsString, usize> = BTreeMap::new();
        for file in files {
            *same_name
                .entry(file.file_stem().unwrap_or_default().to_owned())
                .or_default() += 1;
        }
        let mut by_file = BTreeMap::new();
        let mut version = None;
        for dir in dirs {
            if !dir.is_dir() {
                return Err(Failure::Usage(format!(
                    "--recorded {}: there is no such directory",
                    dir.display()
                )));
            }
            let read = fs::read_to_string(dir.join(VERSION))
                .ok()
                .map(|text| text.trim().to_owned());
            version = version.or(read);
            for file in files {
                let name = file.file_stem().unwrap_or_default();
                let topic = file
                    .parent()
                    .and_then(Path::file_name)
                    .map(|topic| dir.join(topic));
                let is_its_own = same_name.get(name) == Some(&1) || file.parent() == dir.parent();
                let places = topic.into_iter().chain(is_its_own.then(|| dir.clone()));
                let recording = places
                    .flat_map(|place| {
                        ["txt", "err"].map(|ext| place.join(name).with_extension(ext))
                    })
                    .find(|path| path.is_file());
                if let Some(path) = recording {
                    by_file.entry(file.clone()).or_insert(path);
                }
            }
        }
        Ok(Self::Recorded { by_file, version })
    }

    pub fn version(&self) -> Option<String> {
        match self {
            Self::Installed { version, .. } | Self::Recorded { version, .. } => version.clone(),
        }
    }

    /// What omc prints for `class` of `file`; nothing if that was not recorded.
    pub fn flatten(&self, file: &Path, class: &str) -> Result<Option<Printed>, Failure> {
        match self {
            Self::Installed {
                omc,
                options,
                libraries,
                ..
            } => run(omc, options, libraries.as_ref(), file, class).map(Some),
            Self::Recorded { by_file, .. } => {
                let Some(path) = by_file.get(file) else {
                    return Ok(None);
                };
                let text = fs::read_to_string(path)?;
                let rejected = path.extension().is_some_and(|ext| ext == "err");
                Ok(Some(if rejected {
                    Printed::Rejected(text)
                } else {
                    Printed::Flat(text)
                }))
            }
        }
    }
}

/// `omc -i=CLASS FILE`, which prints the flat model. omc reports some errors without failing, so a text without a
/// class is a rejection, too.
fn run(
    omc: &Path,
    options: &[String],
    libraries: Option<&OsString>,
    file: &Path,
    class: &str,
) -> Result<Printed, Failure> {
    let mut command = Command::new(omc);
    if let Some(libraries) = libraries {
        command.env("OPENMODELICALIBRARY", libraries);
    }
    let output = command
        .args(options)
        .arg(format!("-i={class}"))
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::Usage(format!("{}: {}", omc.display(), reason(&error))))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_model = text.lines().any(|line| line.starts_with("end "));
    if output.status.success() && is_model {
        return Ok(Printed::Flat(text));
    }
    Ok(Printed::Rejected(format!(
        "{}{text}",
        String::from_utf8_lossy(&output.stderr)
    )))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .map(|dir| dir.join(&name))
        .find(|file| file.is_file())
}
