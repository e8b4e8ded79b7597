//! What functions share with the world: strings and external objects that equations hold by number, files, messages.

use crate::external::{Natives, Object};
use modeshift_base::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What a warning is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningKind {
    /// An assertion with the level `warning` does not hold.
    Assertion,
    /// A derivative by annotation is none.
    Derivative,
}

/// What is known of a derivative by annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    /// So many attempts told nothing.
    Open(u8),
    Right,
    Wrong,
}

/// One for each simulation.
#[derive(Debug, Default)]
pub struct Context {
    strings: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
    pub(crate) objects: Vec<Object>,
    /// External objects that were made, by constructor and arguments: equal ones are made once.
    pub(crate) made: FxHashMap<Vec<u8>, i64>,
    /// Tells where in the model a function is called.
    pub(crate) site: u64,
    /// Which infinitely small steps are steps in time, by bit.
    pub(crate) times: u8,
    /// Shared libraries, where native code may run.
    pub(crate) natives: Option<Natives>,
    pub(crate) random: crate::external::Random,
    pub(crate) files: FxHashMap<PathBuf, Arc<str>>,
    /// Where `modelica://` leads: the directory that holds each library.
    pub libraries: Vec<PathBuf>,
    /// Files may be written below this directory only.
    pub output: Option<PathBuf>,
    warnings: Vec<(WarningKind, Arc<str>)>,
    /// Derivatives by annotation, by function and derivative: what was found out about them.
    pub(crate) judged: FxHashMap<(u32, u32), Judgement>,
    /// What functions printed.
    pub printed: String,
}

impl Context {
    /// The number by which equations hold a string.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.strings.len() as u32;
        let text: Arc<str> = text.into();
        self.strings.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    pub fn string(&self, number: f64) -> Arc<str> {
        let found = self.strings.get(number as usize);
        found.cloned().unwrap_or_else(|| Arc::from(""))
    }

    pub fn warn(&mut self, kind: WarningKind, message: &Arc<str>) {
        let warning = (kind, message.clone());
        if self.warnings.len() < 100 && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    pub fn warnings(&self) -> &[(WarningKind, Arc<str>)] {
        &self.warnings
    }
}
