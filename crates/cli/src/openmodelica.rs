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
        by_file: BTreeMap<PathBuf, Recording>,
        version: Option<String>,
    },
}

/// A file with what omc printed.
pub struct Recording {
    path: PathBuf,
    /// It was made from another text than the model has now.
    outdated: bool,
}

/// What omc printed for a model.
pub enum Printed {
    Flat(String),
    /// Its messages.
    Rejected(String),
    /// The model has changed since then.
    Outdated,
}

/// The file in a directory of recordings that says which omc made them.
const VERSION: &str = "VERSION";

/// The file beside recordings that says which texts they were made from: a checksum and a name in each line.
const MODELS: &str = "MODELS";

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
                    let outdated = is_outdated(&path, file);
                    let recording = Recording { path, outdated };
                    by_file.entry(file.clone()).or_insert(recording);
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
                let Some(Recording { path, outdated }) = by_file.get(file) else {
                    return Ok(None);
                };
                if *outdated {
                    return Ok(Some(Printed::Outdated));
                }
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

/// Whether the list beside a recording names another text than the file has now.
fn is_outdated(recording: &Path, file: &Path) -> bool {
    let list = fs::read_to_string(recording.with_file_name(MODELS)).unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut entries = list.lines().filter_map(|line| line.split_once(' '));
    let known = entries.find(|(_, entry)| *entry == name);
    known.is_some_and(|(sum, _)| {
        let text = fs::read(file).unwrap_or_default();
        sum.parse() != Ok(checksum(&text))
    })
}

/// The checksum of `cksum` (POSIX) over the lines that do not begin with `//`: comments and the directives of tests do not
/// change a model.
fn checksum(text: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ (u32::from(byte) << 24), |crc, _| {
            match crc & 0x8000_0000 {
                0 => crc << 1,
                _ => (crc << 1) ^ 0x04c1_1db7,
            }
        })
    };
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let mut length = 0_usize;
    let mut crc = 0;
    for line in lines.filter(|line| !line.starts_with(b"//")) {
        length += line.len();
        crc = line.iter().copied().fold(crc, step);
    }
    while length > 0 {
        crc = step(crc, (length & 0xff) as u8);
        length >>= 8;
    }
    !crc
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

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_checksum_is_that_of_cksum_without_comments() {
        // printf 'model A\nend A;\n' | cksum
        assert_eq!(checksum(b"model A\nend A;\n"), CKSUM);
        assert_eq!(checksum(b"//! run: check\nmodel A\nend A;\n"), CKSUM);
        assert_ne!(checksum(b"model B\nend B;\n"), CKSUM);
    }

    const CKSUM: u32 = 2_469_797_292;
}
