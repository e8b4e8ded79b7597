//! The stages up to the flat model for somebody who types in a plain equation.
//!
//! A model is looked at in two steps: its *frame*, in which there are marks in the places of plain equations, and these
//! equations ([`modeshift_flat::plain`]). The queries on the frame do not run while a plain equation is edited. Those on the
//! *outline*, which has the equations but not their numbers, do not run while a number is edited. Where a frame does not do, the
//! stages look at the model as a whole.

use crate::memory::memory;
use crate::pipeline::{OPTIONS, declared, instance};
use modeshift_db::Workspace;
use modeshift_flat::flatten::{Flat, flatten_again};
use modeshift_flat::model::FlatModel;
use modeshift_flat::plain::{Frame, Outline, Plain};
use modeshift_hir::{ClassData, ClassId, ClassSpan, Db, class_frame, frame as frame_of, marks};
use modeshift_inst::Skeleton;
use modeshift_inst::tree::{Equation, Instance};
use std::sync::Arc;

/// The instance tree of a frame.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
fn frame_instance(db: &dyn Db, class: ClassId) -> Option<Instance> {
    skeleton(db, class)?.complete(db, frame_data(db, class))
}

/// The flat model of a frame.
#[salsa::tracked(returns(ref), lru = 64)]
fn frame(db: &dyn Db, class: ClassId) -> Option<Frame> {
    let instance = frame_instance(db, class).as_ref()?;
    let flat = flat_of(db, class, instance);
    let marks = marks(frame_data(db, class));
    let marks = marks.map(|span| ClassSpan::new(class, span).to_place());
    Frame::new(instance, flat, &marks.collect::<Vec<_>>())
}

/// The equations of a class that look plain, typed if they are.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
fn typed(db: &dyn Db, class: ClassId) -> Option<Vec<Option<Vec<Equation>>>> {
    Some(skeleton(db, class)?.plain_equations(db, modeshift_hir::class(db, class)))
}

/// Which of them are.
#[salsa::tracked(returns(ref))]
fn are_plain(db: &dyn Db, class: ClassId) -> Vec<bool> {
    let typed = typed(db, class).iter().flatten();
    typed.map(Option::is_some).collect()
}

/// What a class declares, with marks in the places of these.
#[salsa::tracked(returns(ref))]
fn frame_data(db: &dyn Db, class: ClassId) -> Arc<ClassData> {
    let are_plain = are_plain(db, class);
    if are_plain.iter().all(|&it| it) {
        return class_frame(db, class).clone();
    }
    frame_of(modeshift_hir::class(db, class), |number| are_plain[number])
}

/// What comes of them in the flat model.
#[salsa::tracked(returns(ref), lru = 64)]
fn plain(db: &dyn Db, class: ClassId) -> Option<Plain> {
    let typed = typed(db, class).iter().flatten().flatten();
    let frame = frame(db, class).as_ref()?;
    frame.flatten(frame_instance(db, class).as_ref()?, OPTIONS, typed)
}

/// The model without the numbers in its plain equations.
#[salsa::tracked(returns(ref), lru = 64)]
pub(crate) fn model_outline(db: &dyn Db, class: ClassId) -> Option<Outline> {
    let plain = plain(db, class).as_ref()?;
    Some(frame(db, class).as_ref()?.outline(plain))
}

/// A model with the outline of the class. It is needed by those who look for something in the outline, one after the other.
#[salsa::tracked(returns(as_ref), no_eq, lru = 4)]
pub(crate) fn outlined(db: &dyn Db, class: ClassId) -> Option<Arc<FlatModel>> {
    Some(model_outline(db, class).as_ref()?.model())
}

/// The flat model by its frame.
pub(crate) fn flat_by_frame(db: &dyn Db, class: ClassId) -> Option<Flat> {
    let plain = plain(db, class).as_ref()?;
    let frame = frame(db, class).as_ref()?;
    Some(Flat {
        model: frame.model(plain),
        diagnostics: frame.flat.diagnostics.clone(),
    })
}

/// The instance tree of a class; in the place of its plain equations there may be marks.
pub(crate) fn components(db: &dyn Db, class: ClassId) -> &Instance {
    // Where there is an outline there are plain equations; it changes less often than these.
    let framed = model_outline(db, class)
        .as_ref()
        .and(frame_instance(db, class).as_ref());
    framed.unwrap_or_else(|| instance(db, class))
}

fn skeleton(db: &dyn Db, class: ClassId) -> Option<&Skeleton> {
    let live = Workspace::get(db).live(db);
    live.then(|| declared(db, class).as_ref()).flatten()
}

/// The flat model of an instance, by what is known from the last time.
pub(crate) fn flat_of(db: &dyn Db, class: ClassId, instance: &Instance) -> Flat {
    crate::pipeline::flat_by(instance, |instance| {
        let flattened = &memory(db, class).flattened;
        flattened.with(|known| {
            known.get_or_insert_default();
            flatten_again(instance, OPTIONS, known)
        })
    })
}

/// Keeps the frames of so many classes.
pub(crate) fn keep(db: &mut modeshift_db::Database, classes: usize) {
    frame_instance::set_lru_capacity(db, classes);
    frame::set_lru_capacity(db, classes);
    typed::set_lru_capacity(db, classes);
    plain::set_lru_capacity(db, classes);
    model_outline::set_lru_capacity(db, classes);
}
