//! Flattening of instance trees built by hand: what one phase does, without the phases before it.

use modeshift_base::{FileId, FileSpan, Name, Span};
use modeshift_flat::export::modelica::flat_text;
use modeshift_flat::{Options, flatten};
use modeshift_inst::exp::{BinaryOp, Cref, CrefPart, Exp, Range, Subscript};
use modeshift_inst::tree::{
    Binding, ClassInst, ClassInstId, ClassKind, Component, ComponentId, Equation, EquationKind,
    Flow, Instance,
};
use modeshift_inst::ty::{ArrayType, Dim, Type, Variability};
use std::sync::Arc;

const NOWHERE: FileSpan = FileSpan {
    file: FileId(0),
    span: Span { start: 0, end: 0 },
};

/// Builds instance trees.
#[derive(Default)]
struct Builder {
    instance: Instance,
}

impl Builder {
    fn class(&mut self, name: &str, kind: ClassKind, owner: Option<ComponentId>) -> ClassInstId {
        let id = self.instance.classes.push(ClassInst {
            name: name.into(),
            kind,
            owner,
            components: Vec::new(),
            initial_equations: Vec::new(),
            equations: Vec::new(),
            initial_algorithms: Vec::new(),
            algorithms: Vec::new(),
            comment: None,
            place: NOWHERE,
        });
        if let Some(owner) = owner {
            self.instance.components[owner].class = Some(id);
        }
        id
    }

    fn component(
        &mut self,
        class: ClassInstId,
        name: &str,
        kind: ClassKind,
        dims: &[i64],
    ) -> ComponentId {
        let id = self.instance.components.push(Component {
            name: Name::new(name),
            parent: self.instance.classes[class].owner,
            ty: Type::Real,
            dims: dims.iter().map(|&n| Dim::Known(n)).collect(),
            class: None,
            kind,
            variability: Variability::Continuous,
            discrete: false,
            causality: None,
            flow: None,
            inner: false,
            outer: None,
            around: None,
            generated: false,
            constraint: None,
            added: false,
            protected: false,
            final_: false,
            absent: false,
            left_open: None,
            attributes: Vec::new(),
            binding: None,
            value: None,
            comment: None,
            place: NOWHERE,
        });
        self.instance.classes[class].components.push(id);
        id
    }

    fn pin(&mut self, class: ClassInstId, name: &str) -> ComponentId {
        let pin = self.component(class, name, ClassKind::Connector, &[]);
        let inner = self.class("Pin", ClassKind::Connector, Some(pin));
        self.component(inner, "v", ClassKind::Type, &[]);
        let i = self.component(inner, "i", ClassKind::Type, &[]);
        self.instance.components[i].flow = Some(Flow::Flow);
        pin
    }

    fn equation(&mut self, class: ClassInstId, kind: EquationKind) {
        self.instance.classes[class].equations.push(Equation {
            kind,
            place: NOWHERE,
            comment: None,
        });
    }
}

fn part(component: ComponentId, subscripts: Vec<Exp>) -> CrefPart {
    CrefPart {
        component,
        subscripts: subscripts.into_iter().map(Subscript::Index).collect(),
    }
}

fn cref(parts: Vec<CrefPart>) -> Cref {
    Cref {
        parts,
        ty: Type::Real,
    }
}

fn connect(from: Cref, to: Cref) -> EquationKind {
    EquationKind::Connect {
        from,
        to,
        from_place: NOWHERE,
        to_place: NOWHERE,
    }
}

/// `Cell cell[n]` in a row, each with `p.v = n.v` and `p.i + n.i = 0`, connected by a loop.
fn chain(n: i64) -> Instance {
    let mut b = Builder::default();
    let root = b.class("Chain", ClassKind::Model, None);
    b.instance.root = Some(root);
    let cell = b.component(root, "cell", ClassKind::Model, &[n]);
    let inner = b.class("Cell", ClassKind::Model, Some(cell));
    let p = b.pin(inner, "p");
    let q = b.pin(inner, "n");
    let member = |b: &Builder, pin: ComponentId, k: usize| {
        let class = b.instance.components[pin].class.expect("a pin has a class");
        let member = b.instance.classes[class].components[k];
        Exp::Ref(cref(vec![part(pin, vec![]), part(member, vec![])]))
    };
    let same = EquationKind::Equality {
        lhs: member(&b, p, 0),
        rhs: member(&b, q, 0),
        ty: Type::Real,
    };
    b.equation(inner, same);
    let sum = Exp::Binary(
        BinaryOp::Add,
        Box::new((member(&b, p, 1), member(&b, q, 1))),
    );
    b.equation(
        inner,
        EquationKind::Equality {
            lhs: sum,
            rhs: Exp::Real(0.0),
            ty: Type::Real,
        },
    );
    let k = Name::new("k");
    let next = Exp::Binary(BinaryOp::Add, Box::new((Exp::Iterator(k), Exp::Int(1))));
    let link = connect(
        cref(vec![part(cell, vec![Exp::Iterator(k)]), part(q, vec![])]),
        cref(vec![part(cell, vec![next]), part(p, vec![])]),
    );
    let range = Exp::Range(Box::new(Range {
        start: Exp::Int(1),
        step: None,
        stop: Exp::Int(n - 1),
        ty: Type::Array(Arc::new(ArrayType {
            element: Type::Integer,
            dims: vec![Dim::Known(n - 1)],
        })),
    }));
    let body = vec![Equation {
        kind: link,
        place: NOWHERE,
        comment: None,
    }];
    b.equation(
        root,
        EquationKind::For {
            iterator: k,
            range,
            body,
        },
    );
    b.instance
}

#[test]
fn a_chain_of_cells_is_connected_element_by_element() {
    let flat = flatten(&chain(2), Options::default());
    assert!(flat.diagnostics.is_empty());
    assert_eq!(
        flat_text(&flat.model),
        "class Chain
  Real cell[1].p.v;
  Real cell[1].p.i;
  Real cell[1].n.v;
  Real cell[1].n.i;
  Real cell[2].p.v;
  Real cell[2].p.i;
  Real cell[2].n.v;
  Real cell[2].n.i;
equation
  cell[1].n.v = cell[2].p.v;
  cell[1].p.i = 0.0;
  cell[2].p.i + cell[1].n.i = 0.0;
  cell[2].n.i = 0.0;
  cell[1].p.v = cell[1].n.v;
  cell[1].p.i + cell[1].n.i = 0.0;
  cell[2].p.v = cell[2].n.v;
  cell[2].p.i + cell[2].n.i = 0.0;
end Chain;
"
    );
    assert!(modeshift_flat::balance::check(&chain(2), &flat.model).is_empty());
}

#[test]
fn array_bindings_of_parameters_are_split_and_those_of_variables_become_an_equation() {
    let mut b = Builder::default();
    let root = b.class("M", ClassKind::Model, None);
    b.instance.root = Some(root);
    let vector = Type::Array(Arc::new(ArrayType {
        element: Type::Real,
        dims: vec![Dim::Known(2)],
    }));
    let values = Exp::Array(vec![Exp::Real(1.0), Exp::Real(2.0)], vector.clone());
    for (name, variability) in [
        ("p", Variability::Parameter),
        ("x", Variability::Continuous),
    ] {
        let id = b.component(root, name, ClassKind::Type, &[2]);
        let component = &mut b.instance.components[id];
        component.variability = variability;
        component.binding = Some(Binding {
            exp: values.clone(),
            ty: vector.clone(),
            variability: Variability::Constant,
            given: None,
            indexed_by: Vec::new(),
            each: false,
            final_: false,
            place: NOWHERE,
            only_start: false,
        });
    }
    let flat = flatten(&b.instance, Options::default());
    assert_eq!(
        flat_text(&flat.model),
        "class M
  parameter Real p[1] = 1.0;
  parameter Real p[2] = 2.0;
  Real x[1];
  Real x[2];
equation
  x = {1.0, 2.0};
end M;
"
    );
}
