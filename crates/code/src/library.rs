//! The functions of a model.

use crate::cache::Engine;
use crate::compile::{self, Signatures};
use crate::context::Context;
use crate::derivative;
use crate::error::CallError;
use crate::external::{Natives, Object};
use crate::ins::Code;
use crate::machine::{MAX_STEPS, Machine, Value};
use modeshift_flat::model::Function;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// All functions, compiled.
#[derive(Debug, Default)]
pub struct Library {
    /// Tells libraries apart for whose functions a machine has registers.
    pub(crate) id: u64,
    pub(crate) functions: Vec<Code>,
    pub(crate) signatures: Signatures,
    native: AtomicBool,
    /// How many steps one call may take.
    pub(crate) steps: u64,
}

impl Library {
    /// Linear in the text of the functions.
    pub fn new(functions: &[Function]) -> Self {
        let signatures = compile::signatures(functions);
        let small = compile::small(functions);
        let sources = functions;
        let functions = sources.iter();
        let functions = functions.map(|function| compile::function(&signatures, &small, function));
        let mut functions: Vec<Code> = functions.collect();
        derivative::link(sources, &mut functions);
        // Whose derivative by time follows an annotation that leaves something out, with all who call it.
        for function in &mut functions {
            function.assumes = function.derivatives.iter().any(|it| it.assumes);
        }
        loop {
            let calls = |function: &Code| function.calls().any(|k| functions[k as usize].assumes);
            let found: Vec<usize> = (0..functions.len())
                .filter(|&k| !functions[k].assumes && calls(&functions[k]))
                .collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|k| functions[k].assumes = true);
        }
        // Who calls something impure is impure, whatever it is declared to be.
        loop {
            let impure = |function: &Code| function.calls().any(|k| !functions[k as usize].pure);
            let spoilt: Vec<usize> = (0..functions.len())
                .filter(|&k| functions[k].pure && impure(&functions[k]))
                .collect();
            if spoilt.is_empty() {
                break;
            }
            spoilt.into_iter().for_each(|k| functions[k].pure = false);
        }
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            functions,
            signatures,
            native: AtomicBool::new(false),
            steps: MAX_STEPS,
        }
    }

    /// Whether functions of shared libraries may run.
    pub(crate) fn allows_native(&self) -> bool {
        self.native.load(Ordering::Relaxed)
    }

    pub fn find(&self, name: &str) -> Option<u32> {
        self.signatures.get(name).map(|signature| signature.index)
    }

    /// Whether a function gives the same results for the same arguments, and does nothing else.
    pub fn is_pure(&self, name: &str) -> bool {
        let found = self.find(name);
        found.is_none_or(|index| self.functions[index as usize].pure)
    }

    /// Whether the derivative of a function by time may be another than its text says (`noDerivative`).
    pub fn assumes(&self, name: &str) -> bool {
        let found = self.find(name);
        found.is_some_and(|index| self.functions[index as usize].assumes)
    }

    /// Why a function cannot be executed.
    pub fn refused(&self, name: &str) -> Option<Arc<str>> {
        let index = self.find(name)?;
        self.functions[index as usize].refused.clone()
    }

    pub fn names(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let functions = self.functions.iter();
        functions.map(|code| (&*code.name, code.refused.as_deref()))
    }
}

/// A library with what its functions share while a model runs.
#[derive(Debug, Default)]
pub struct Runtime {
    pub library: Library,
    context: Mutex<Context>,
    engine: Mutex<Engine>,
    error: Mutex<Option<CallError>>,
}

impl Runtime {
    pub fn new(functions: &[Function]) -> Self {
        let mut this = Self::default();
        this.library = Library::new(functions);
        this
    }

    /// The same where no call may take more than so many steps.
    pub fn limited(functions: &[Function], steps: u64) -> Self {
        let mut this = Self::new(functions);
        this.library.steps = steps.min(MAX_STEPS);
        this
    }

    /// Lets functions of shared libraries run, which the model's author chose.
    pub fn allow_native(&self) {
        self.library.native.store(true, Ordering::Relaxed);
        self.with_context(|context| context.natives = Some(Natives::default()));
    }

    pub(crate) fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn with_context<T>(&self, f: impl FnOnce(&mut Context) -> T) -> T {
        f(&mut self.context.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn record(&self, error: CallError) {
        let mut last = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        // What misses a value does so because the call that should have given it has failed.
        if last.is_none() || !error.trouble.is_missing_value() {
            *last = Some(error);
        }
    }

    /// What went wrong last in a function, once.
    pub fn take_error(&self) -> Option<CallError> {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl Drop for Runtime {
    /// Objects of native code are destroyed, the last one first.
    fn drop(&mut self) {
        let context = self.context.get_mut();
        let context = context.unwrap_or_else(PoisonError::into_inner);
        for handle in (0..context.objects.len()).rev() {
            let Object::Native(_, class) = &context.objects[handle] else {
                continue;
            };
            let name = format!("{class}.destructor");
            if let Some(function) = self.library.find(&name) {
                let mut machine = Machine::<f64>::default();
                let functions = &self.library.functions;
                let slot = functions[function as usize].params.first().copied();
                if let (Some(slot), Ok(())) = (slot, machine.prepare(&self.library, function)) {
                    machine.set(slot, Value::Int(handle as i64));
                    // There is nobody left to tell.
                    drop(machine.run(functions, context));
                }
            }
        }
    }
}
