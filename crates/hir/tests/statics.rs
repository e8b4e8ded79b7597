//! Names followed without instances.

mod common;

use common::Fixture;
use modeshift_base::Name;
use modeshift_db::Db;
use modeshift_hir::full_name;
use modeshift_hir::statics::{Symbol, lookup_path};

/// What `path`, written in class `scope`, means: `A.B` for classes, `A.x` for components and literals.
fn meaning(fixture: &Fixture, scope: &str, path: &str) -> String {
    let scope = fixture.class(scope).expect("the scope exists");
    let names: Vec<Name> = path
        .trim_start_matches('.')
        .split('.')
        .map(Name::new)
        .collect();
    let db: &dyn Db = &fixture.db;
    let dotted = |class| {
        let names = full_name(db, class);
        names
            .iter()
            .map(|name| name.as_str())
            .collect::<Vec<_>>()
            .join(".")
    };
    match lookup_path(db, scope, path.starts_with('.'), &names) {
        None => "?".to_owned(),
        Some(Symbol::Class(class)) => dotted(class),
        Some(symbol @ (Symbol::Component { class, .. } | Symbol::Literal { class, .. })) => {
            format!("{}#{}", dotted(class), symbol.name(db))
        }
    }
}

#[test]
fn names_lead_to_their_declarations() {
    let mut fixture = Fixture::new(&[(
        "/m.mo",
        "package P
           type Color = enumeration(red, green);
           connector Pin Real v; flow Real i; end Pin;
           partial model TwoPin Pin p; Pin n; end TwoPin;
           package Sub
             model Resistor extends TwoPin; parameter Real R; end Resistor;
             constant Real g = 9.81;
           end Sub;
           model Short = Sub.Resistor(R = 1);
           package Enc
             encapsulated model Inside import P.Sub; import C = P.Color; import P.Sub.*; end Inside;
           end Enc;
           model Circuit
             Sub.Resistor r[3];
             Short s;
             Color c = Color.red;
             model Pin Integer other; end Pin;
           end Circuit;
         end P;",
    )]);
    fixture.open("/m.mo");
    for (scope, path, expected) in [
        ("P.Circuit", "r.p.v", "P.Pin#v"),
        ("P.Circuit", "r.R", "P.Sub.Resistor#R"),
        ("P.Circuit", "s.R", "P.Sub.Resistor#R"),
        ("P.Circuit", "s.n.i", "P.Pin#i"),
        ("P.Circuit", "Pin", "P.Circuit.Pin"),
        ("P.Circuit", ".P.Pin", "P.Pin"),
        ("P.Circuit", "Color.green", "P.Color#green"),
        ("P.Circuit", "Sub.g", "P.Sub#g"),
        ("P.Sub.Resistor", "g", "P.Sub#g"),
        ("P.Sub.Resistor", "TwoPin", "P.TwoPin"),
        ("P.Enc.Inside", "TwoPin", "?"),
        ("P.Enc.Inside", "Sub.Resistor", "P.Sub.Resistor"),
        ("P.Enc.Inside", "C.red", "P.Color#red"),
        ("P.Enc.Inside", "g", "P.Sub#g"),
        ("P.Enc.Inside", "P", "P"),
        ("P.Circuit", "nothing", "?"),
    ] {
        assert_eq!(
            meaning(&fixture, scope, path),
            expected,
            "`{path}` in {scope}"
        );
    }
}

#[test]
fn circular_inheritance_and_types_end() {
    let mut fixture = Fixture::new(&[(
        "/m.mo",
        "model A extends B; end A; model B extends C; end B; model C extends A; Real x; end C;
         model S = S; model T = U; model U = T;
         model X x.Y x; a.T a; b.T b; end X;
         package P extends P.Q; package Q extends P; end Q; end P;
         package R extends R; model M extends M; end M; end R;",
    )]);
    fixture.open("/m.mo");
    for scope in ["A", "B", "C", "S", "T", "X", "P", "P.Q", "R", "R.M"] {
        for path in ["x", "x.y", "x.y.z", "a.b", "nothing", "M.z", "Q.Q.Q"] {
            meaning(&fixture, scope, path);
        }
    }
}
