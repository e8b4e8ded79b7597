//! A model with its components but without its own equations: what stays the same while an equation is typed.
//!
//! Instantiating the components of a model costs far more than typing its own equations and algorithms. So an editor keeps
//! the state in between, copies it after each edit, which shares everything that is not changed later, and
//! goes on from there. The result is that of [`instantiate`](crate::instantiate), which takes the same two steps.

use crate::build::Root;
use crate::cx::{Cx, Kept, State};
use crate::node::{Def, ElemKind};
use crate::tree::Instance;
use modeshift_hir::{ClassId, Db};
use modeshift_syntax::ast::ClassKind;
use self_cell::self_cell;
use std::fmt;

self_cell!(
    /// A state, and the classes that it refers to.
    struct Cell {
        owner: Kept,
        #[covariant]
        dependent: Declared,
    }
);

struct Declared<'a> {
    state: State<'a>,
    /// `None` if the model cannot be instantiated at all.
    root: Option<Root>,
    /// What was found holds without the equations of the model.
    sound: bool,
}

/// A model whose components are instantiated.
pub struct Skeleton {
    class: ClassId,
    cell: Cell,
}

impl Skeleton {
    /// Instantiates the components of a class. `None` for classes whose components cannot be told without their
    /// equations and algorithms.
    pub fn new(db: &dyn Db, class: ClassId) -> Option<Self> {
        let kind = modeshift_hir::class_declarations(db, class).kind;
        if !matches!(kind, ClassKind::Model | ClassKind::Block) {
            return None;
        }
        let cell = Cell::new(Kept::new(), |kept| {
            let mut cx = Cx::new(db, kept);
            cx.declared_only = Some(class);
            let root = cx.declare_root(class);
            Declared {
                // Arrays that have to be split are found by instantiating again and again.
                sound: cx.declared_only.is_some() && cx.ragged.is_empty(),
                root,
                state: cx.state,
            }
        });
        let sound = cell.borrow_dependent().sound;
        sound.then_some(Self { class, cell })
    }

    /// The whole instance: equations and algorithms of the model are typed, everything else is taken over.
    pub fn complete(&self, db: &dyn Db) -> Instance {
        let declared = self.cell.borrow_dependent();
        let kept = Kept::new();
        let mut cx = Cx::from_state(db, &kept, declared.state.clone());
        if let Some(root) = declared.root {
            let whole = Def::Class(self.class, cx.class_data(self.class));
            // A short class is instantiated as what it stands for.
            if cx.node(root.node).def.same(whole) {
                cx.node_mut(root.node).def = whole;
            }
            if let ElemKind::Class(elem) = &mut cx.elem_mut(root.elem).kind {
                elem.def = whole;
            }
            cx.complete_root(root);
        }
        if !cx.ragged.is_empty() {
            return crate::instantiate(db, self.class);
        }
        cx.state.out
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skeleton").field(&self.class).finish()
    }
}
