//! Evaluation at compile time: constants, structural parameters, and functions called with known arguments.
//!
//! [`fn@eval`] works on typed expressions and asks a [`World`] for what it does not know itself: values of components
//! and bodies of functions. Work is bounded by the world's supply of steps, depth by [`MAX_CALLS`].

mod builtin;
mod cast;
mod eval;
mod interpret;
mod op;
mod store;
mod tell;
mod value;

pub use eval::{Frame, eval};
pub(crate) use store::Known;
pub use value::{Value, range_length};

use crate::tree::{Component, ComponentId, Function, Place};
use modeshift_base::SharedVec;
use std::sync::Arc;

/// How deep evaluated functions may call each other.
pub const MAX_CALLS: u32 = 60;
/// Arrays larger than this are not evaluated.
pub const MAX_ELEMENTS: usize = 1_000_000;
/// The bytes of one string.
pub const MAX_TEXT: usize = 100_000;

/// How many elements an array of these dimensions has, if it is small enough to be evaluated.
fn room(dims: impl IntoIterator<Item = usize>) -> Eval<usize> {
    let count = dims.into_iter().fold(1, usize::saturating_mul);
    match count <= MAX_ELEMENTS {
        true => Ok(count),
        false => Err(Fail::new("an array with too many elements")),
    }
}

const TOO_LONG: &str = "the evaluation takes too long";

/// Takes steps for work on so many elements.
fn spend(world: &mut dyn World, elements: usize) -> Eval<()> {
    match world.take_steps(1 + elements as u64 / 8) {
        true => Ok(()),
        false => {
            let mut fail = Fail::wrong(TOO_LONG);
            fail.place = world.gave_up(None);
            Err(fail)
        }
    }
}

/// Why something has no value.
#[derive(Clone, PartialEq, Debug)]
pub struct Fail {
    pub reason: String,
    /// It never will have one: a division by zero, a failed assertion.
    pub wrong: bool,
    /// The statement of a function that failed, or the constant that lacks a value.
    pub place: Option<Place>,
    /// The component whose value it is that cannot be computed; others only read it.
    pub of: Option<ComponentId>,
    /// Something has been declared without saying what it is: a function without algorithm, a constant without a value.
    pub lacks: bool,
}

impl Fail {
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            wrong: false,
            place: None,
            of: None,
            lacks: false,
        }
    }

    /// For what has only been declared.
    fn lacking(reason: impl Into<String>) -> Self {
        Self {
            lacks: true,
            ..Self::new(reason)
        }
    }

    pub fn wrong(reason: impl Into<String>) -> Self {
        Self {
            wrong: true,
            ..Self::new(reason)
        }
    }

    fn at(mut self, place: Place) -> Self {
        self.place.get_or_insert(place);
        self
    }
}

pub type Eval<T = Value> = Result<T, Fail>;

/// What an evaluation can ask for.
pub trait World {
    fn components(&self) -> &SharedVec<Component>;

    /// The value of a component and the array components, outermost first, that index it.
    fn value_of(&mut self, id: ComponentId) -> Eval<(Value, Vec<ComponentId>)>;

    /// The parts of a component of a structured type, in order.
    fn parts(&mut self, id: ComponentId) -> Vec<ComponentId>;

    fn function(&mut self, name: &str) -> Option<Arc<Function>>;

    /// Takes so many steps; false when there are not as many left.
    fn take_steps(&mut self, steps: u64) -> bool;

    /// Hears of the loop in which the steps were used up, and tells it to those that come later.
    fn gave_up(&mut self, place: Option<Place>) -> Option<Place> {
        place
    }

    /// Hears that an evaluation fails because the elements of an array of components differ.
    fn differs(&mut self, _array: ComponentId) {}
}

/// The finished instance tree as a world: for evaluation after instantiation, as when loops are unrolled.
#[derive(Debug)]
pub struct InstanceWorld<'i> {
    instance: &'i crate::tree::Instance,
    fuel: u64,
}

impl<'i> InstanceWorld<'i> {
    pub fn new(instance: &'i crate::tree::Instance) -> Self {
        Self {
            instance,
            fuel: 5_000_000,
        }
    }
}

impl World for InstanceWorld<'_> {
    fn components(&self) -> &SharedVec<Component> {
        &self.instance.components
    }

    fn value_of(&mut self, id: ComponentId) -> Eval<(Value, Vec<ComponentId>)> {
        let component = &self.instance.components[id];
        if let Some(value) = &component.value {
            return Ok((eval(self, value, &mut Frame::default())?, Vec::new()));
        }
        Err(Fail::new(format!(
            "`{}` has no value before the simulation",
            component.name
        )))
    }

    fn parts(&mut self, id: ComponentId) -> Vec<ComponentId> {
        let class = self.instance.components[id].class;
        class
            .map(|class| self.instance.classes[class].components.clone())
            .unwrap_or_default()
    }

    fn function(&mut self, name: &str) -> Option<Arc<Function>> {
        let functions = &self.instance.functions;
        let index = functions
            .binary_search_by(|function| (*function.name).cmp(name))
            .ok()?;
        Some(functions[index].clone())
    }

    fn take_steps(&mut self, steps: u64) -> bool {
        self.fuel = self.fuel.saturating_sub(steps);
        self.fuel > 0
    }
}
