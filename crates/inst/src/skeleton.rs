//! A model with its components but without its own equations: what stays the same while an equation is typed.
//!
//! Instantiating the components of a model costs far more than typing its own equations and algorithms. So an editor keeps
//! the state in between, copies it after each edit, which shares everything that is not changed later, and
//! goes on from there. The result is that of [`instantiate`](crate::instantiate), which takes the same two steps.

use crate::build::Root;
use crate::cx::{Cx, Kept, State};
use crate::node::{Def, ElemKind};
use crate::tree::{Equation, EquationKind, Instance};
use crate::ty::Type;
use crate::typing::Env;
use modeshift_base::SharedVec;
use modeshift_hir::{ClassData, ClassId, Db, plain_equations};
use modeshift_syntax::ast::ClassKind;
use self_cell::self_cell;
use std::fmt;
use std::sync::Arc;

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

    /// The whole instance: equations and algorithms of the model are typed, everything else is taken over. `data` is what the
    /// class declares, or its frame. `None` if that is not enough to go on from the components.
    pub fn complete(&self, db: &dyn Db, data: &Arc<ClassData>) -> Option<Instance> {
        let declared = self.cell.borrow_dependent();
        let kept = Kept::new();
        let mut cx = Cx::from_state(db, &kept, declared.state.clone());
        cx.given = Some((self.class, data.clone()));
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
        cx.ragged.is_empty().then_some(cx.state.out)
    }

    /// The equations among what the class declares that look plain, each typed by itself. `None` for those that are more than
    /// that: no equations of numbers, there is something to be said about them, or they make something known that was not
    /// needed before.
    pub fn plain_equations(&self, db: &dyn Db, data: &ClassData) -> Vec<Option<Vec<Equation>>> {
        let declared = self.cell.borrow_dependent();
        let kept = Kept::new();
        let begin = || Cx::from_state(db, &kept, declared.state.clone());
        let mut cx = begin();
        let root = declared.root.map(|it| it.node);
        let root = root.filter(|&it| cx.node(it).def.text() == Some(self.class));
        let Some(root) = root else {
            return plain_equations(data).map(|_| None).collect();
        };
        let before = Found::of(&cx);
        let typed = plain_equations(data).map(|equation| {
            let mut env = Env::new(root, self.class);
            let mut typed = Vec::with_capacity(1);
            cx.type_equation(equation, &mut env, &mut typed);
            let same = SharedVec::same(&declared.state.out.components, &cx.out.components);
            if !same || Found::of(&cx) != before {
                cx = begin();
                return None;
            }
            typed.iter().all(is_real).then_some(typed)
        });
        typed.collect()
    }
}

fn is_real(equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Equality { ty, .. } => *ty.element() == Type::Real,
        _ => false,
    }
}

/// How much an instantiation has found out beside components and equations.
#[derive(PartialEq)]
struct Found([usize; 10]);

impl Found {
    fn of(cx: &Cx<'_, '_>) -> Self {
        Self([
            cx.out.diagnostics.len(),
            cx.out.unit_constants.len(),
            cx.out.classes.len(),
            cx.needed_functions.len(),
            cx.done_functions.len(),
            cx.external_objects.len(),
            cx.redeclared.len(),
            cx.generated_order.len(),
            cx.ragged.len(),
            usize::from(cx.has_graph) + usize::from(cx.too_deep) + usize::from(cx.told_long),
        ])
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skeleton").field(&self.class).finish()
    }
}
