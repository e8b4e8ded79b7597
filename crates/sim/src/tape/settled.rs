//! Results of calls that are the same number whatever the arguments that change are.
//!
//! A function for a transistor gives capacitances that are zero by parameters. What such a number is multiplied by does not
//! occur in the model, so the structure depends on it. The function is followed with its known arguments as numbers
//! and the others as unknowns, branches that cannot be decided to both ends, as where it would be written out; of that
//! only the numbers are kept.

use super::call::CallArg;
use super::function::Array;
use super::{Functions, Graph, Reg};
use modeshift_base::FxHashMap;
use modeshift_code::Shape;
use modeshift_flat::model::Function;
use modeshift_inst::ty::Causality;
use std::sync::{Arc, PoisonError};

/// Statements that are followed in one call, with all functions it calls.
const MAX_STATEMENTS: u32 = 3_000;

/// How far functions were followed.
#[derive(Clone, Copy, Debug)]
pub struct Followed {
    /// Statements that may still be followed.
    left: u32,
    asserts: bool,
}

/// What is known, by function and the bits of its known arguments.
pub type Known = FxHashMap<(Arc<str>, Vec<Option<u64>>), Arc<[Option<f64>]>>;

impl Graph {
    /// Whether one more statement may be followed.
    pub(super) fn spend(&mut self) -> bool {
        let Some(followed) = &mut self.followed else {
            return true;
        };
        followed.left = followed.left.saturating_sub(1);
        followed.left > 0
    }

    /// An assertion is met.
    pub(super) fn asserts(&mut self) {
        if let Some(followed) = &mut self.followed {
            followed.asserts = true;
        }
    }
}

impl Functions {
    /// Puts numbers in the place of results that are settled.
    pub(super) fn settle(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
        shapes: &[Shape],
        results: &mut [Reg],
    ) {
        let values = self.settled(graph, name, args, shapes);
        for (reg, value) in results.iter_mut().zip(values.iter()) {
            if let Some(value) = value {
                *reg = graph.constant(*value);
            }
        }
    }

    /// The results of a call that are numbers, whatever the arguments that are not known.
    fn settled(
        &self,
        graph: &Graph,
        name: &str,
        args: &[CallArg],
        results: &[Shape],
    ) -> Arc<[Option<f64>]> {
        let mut regs = Vec::new();
        args.iter().for_each(|arg| arg.regs(&mut regs));
        let bits = |&reg: &Reg| graph.value(reg).map(f64::to_bits);
        let given: Vec<Option<u64>> = regs.iter().map(bits).collect();
        let Some(function) = self.function(name).filter(|it| it.pure) else {
            return Arc::default();
        };
        // A number has no derivative, and an annotation may say that there is one.
        if self.runtime.library.assumes(name) {
            return Arc::default();
        }
        // Without a known argument there is nothing to find, with known ones alone nothing to do.
        let known = given.iter().flatten().count();
        if known == 0 || known == given.len() {
            return Arc::default();
        }
        let key = (Arc::from(name), given);
        let lock = || self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(&key) {
            return found.clone();
        }
        let found = self.follow(graph, function, args, results);
        let found: Arc<[Option<f64>]> = found.unwrap_or_default().into();
        lock().insert(key, found.clone());
        found
    }

    fn follow(
        &self,
        graph: &Graph,
        function: &Function,
        args: &[CallArg],
        results: &[Shape],
    ) -> Option<Vec<Option<f64>>> {
        let mut small = Graph {
            followed: Some(Followed {
                left: MAX_STATEMENTS,
                asserts: false,
            }),
            ..Graph::default()
        };
        let mut unknown = 0;
        let inputs = function.locals.iter();
        let inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        let mut given = Vec::new();
        for (arg, local) in args.iter().zip(inputs) {
            let mut array = Array::from_arg(arg, &local.ty)?;
            for item in &mut array.items {
                *item = match graph.value(*item) {
                    Some(value) => small.constant(value),
                    None => {
                        unknown += 1;
                        small.input(unknown)
                    }
                };
            }
            given.push(array);
        }
        let outputs = self.run(&mut small, function, given, 0).ok()?;
        let mut values = Vec::new();
        for (shape, output) in results.iter().zip(outputs) {
            if shape.width() != output.items.len() {
                return None;
            }
            let finite = |&reg: &Reg| small.value(reg).filter(|value| value.is_finite());
            values.extend(output.items.iter().map(finite));
        }
        // Who asserts something is called for that, too.
        let asserts = small.followed.is_some_and(|it| it.asserts);
        let call_is_left = values.iter().any(Option::is_none);
        (call_is_left || !asserts).then_some(values)
    }
}
