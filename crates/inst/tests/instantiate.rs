//! Laws of instantiation, on small models given as text.

use modeshift_base::Name;
use modeshift_db::{Database, Files, MemorySystem, Workspace};
use modeshift_hir::{ClassId, class_by_path};
use modeshift_inst::exp::Exp;
use modeshift_inst::instantiate;
use modeshift_inst::tree::{Component, Instance};
use modeshift_inst::ty::{Dim, Type, Variability};
use salsa::Setter;
use std::path::Path;
use std::sync::Arc;

/// Instantiates class `name` of `text`.
fn instance(text: &str, name: &str) -> Instance {
    let mut db = Database::new(Arc::new(MemorySystem::new()));
    let file = Files::overlay(&mut db, Path::new("/test.mo"), text);
    let workspace = Workspace::get(&db);
    workspace.set_open_files(&mut db).to(vec![file]);
    let path: Vec<Name> = name.split('.').map(Name::new).collect();
    let class: Option<ClassId> = class_by_path(&db, &path);
    class
        .map(|class| instantiate(&db, class))
        .unwrap_or_default()
}

/// The component at a dotted path from the root.
fn component<'i>(instance: &'i Instance, path: &str) -> Option<&'i Component> {
    let mut class = instance.root?;
    let mut found = None;
    for part in path.split('.') {
        let id = instance.classes[class]
            .components
            .iter()
            .find(|id| instance.components[**id].name == part)?;
        let component = &instance.components[*id];
        found = Some(component);
        if let Some(next) = component.class {
            class = next;
        }
    }
    found
}

/// Codes of the errors, in the order they were found.
fn errors(text: &str, name: &str) -> Vec<&'static str> {
    let instance = instance(text, name);
    instance
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| it.code.as_str())
        .collect()
}

fn value(instance: &Instance, path: &str) -> Option<Exp> {
    component(instance, path)?
        .binding
        .as_ref()
        .map(|binding| binding.exp.clone())
}

#[test]
fn an_outer_modifier_wins_over_an_inner_one() {
    let text = "model A parameter Real x = 1; parameter Real y = 2; end A;
        model B extends A(x = 10); end B;
        model M B b(x = 100); end M;";
    let instance = instance(text, "M");
    assert_eq!(value(&instance, "b.x"), Some(Exp::Real(100.0)));
    assert_eq!(value(&instance, "b.y"), Some(Exp::Real(2.0)));
}

#[test]
fn a_redeclared_class_is_seen_where_it_is_inherited_from() {
    let text = "model R Real v; end R; model S extends R; Real w; end S;
        model Base replaceable model T = R; T t; end Base;
        model M extends Base(redeclare model T = S); end M;";
    let instance = instance(text, "M");
    assert!(component(&instance, "t.w").is_some());
    assert!(instance.diagnostics.is_empty());
}

#[test]
fn parameters_that_decide_sizes_become_structural_with_those_they_depend_on() {
    let text = "model M parameter Integer m = 2; parameter Integer n = m + 1; parameter Integer k = 4; Real x[n]; end M;";
    let instance = instance(text, "M");
    let variability = |path| component(&instance, path).map(|it| it.variability);
    assert_eq!(variability("n"), Some(Variability::Structural));
    assert_eq!(variability("m"), Some(Variability::Structural));
    assert_eq!(variability("k"), Some(Variability::Parameter));
    assert_eq!(
        component(&instance, "x").map(|it| it.dims.clone()),
        Some(vec![Dim::Known(3)])
    );
}

#[test]
fn an_array_of_components_is_one_component_and_its_modifiers_say_what_indexes_them() {
    let text =
        "model A parameter Real x; end A; model M A a[2](x = {1, 2}); A b[2](each x = 3); end M;";
    let instance = instance(text, "M");
    let indexed = |path: &str| {
        let binding = component(&instance, path).and_then(|it| it.binding.clone());
        binding.map(|binding| binding.indexed_by.len())
    };
    assert_eq!(indexed("a.x"), Some(1));
    assert_eq!(indexed("b.x"), Some(0));
}

#[test]
fn outer_components_are_resolved_to_the_nearest_inner() {
    let text = "model Leaf outer Real g; Real v = g; end Leaf;
        model Middle inner Real g = 2; Leaf leaf; end Middle;
        model M inner Real g = 1; Middle middle; Leaf leaf; end M;";
    let instance = instance(text, "M");
    let target = |path: &str| match value(&instance, path) {
        Some(Exp::Ref(cref)) => cref
            .component()
            .map(|id| instance.components[id].parent.is_some()),
        _ => None,
    };
    assert_eq!(target("middle.leaf.v"), Some(true));
    assert_eq!(target("leaf.v"), Some(false));
}

#[test]
fn a_missing_inner_is_made_and_remarked_on() {
    let text = "model World parameter Real g = 9.81; end World;
        model Ball outer World world; Real a = world.g; end Ball;
        model M Ball ball; end M;";
    let instance = instance(text, "M");
    assert!(component(&instance, "world").is_some_and(|it| it.generated));
    assert_eq!(instance.diagnostics.len(), 1);
    assert!(!instance.diagnostics[0].is_error());
}

#[test]
fn functions_with_loops_are_evaluated_when_a_size_needs_them() {
    let text = "function fac input Integer n; output Integer f; algorithm f := 1; for k in 2:n loop f := f*k; end for; end fac;
        model M Real x[fac(4)]; end M;";
    let instance = instance(text, "M");
    assert_eq!(
        component(&instance, "x").map(|it| it.dims.clone()),
        Some(vec![Dim::Known(24)])
    );
}

#[test]
fn conditional_components_that_are_absent_are_not_listed() {
    let text = "model M parameter Boolean b = false; Real x = 1 if b; Real y = 2 if not b; end M;";
    let instance = instance(text, "M");
    assert!(component(&instance, "x").is_none());
    assert!(component(&instance, "y").is_some());
}

#[test]
fn integers_become_reals_and_nothing_else_is_converted() {
    assert!(errors("model M Real x = 1; end M;", "M").is_empty());
    assert_eq!(errors("model M Integer x = 1.5; end M;", "M"), ["MS2020"]);
    assert_eq!(errors("model M Boolean x = 1; end M;", "M"), ["MS2020"]);
}

#[test]
fn one_mistake_gives_one_message() {
    assert_eq!(
        errors(
            "model M Real x = unknown + 1; Real y = 2*x + sin(x); end M;",
            "M"
        ),
        ["MS2001"]
    );
    assert_eq!(
        errors("model M Unknown x; Real y = x.a + x.b; end M;", "M"),
        ["MS2002"]
    );
}

#[test]
fn classes_that_contain_or_extend_themselves_end_in_a_message() {
    assert_eq!(errors("model M M m; end M;", "M"), ["MS2013"]);
    assert!(errors("model A extends B; end A; model B extends A; end B;", "B").contains(&"MS2012"));
    assert!(
        errors(
            "model M constant Real a = b; constant Real b = a; Real x = a; end M;",
            "M"
        )
        .contains(&"MS2028")
    );
}

#[test]
fn package_constants_of_a_redeclared_medium_decide_sizes() {
    let text = "package P constant Integer n = 1; end P; package Q extends P(n = 3); end Q;
        model Pipe replaceable package Medium = P; Real x[Medium.n]; end Pipe;
        model M Pipe a; Pipe b(redeclare package Medium = Q); end M;";
    let instance = instance(text, "M");
    let dims = |path| component(&instance, path).map(|it| it.dims.clone());
    assert_eq!(dims("a.x"), Some(vec![Dim::Known(1)]));
    assert_eq!(dims("b.x"), Some(vec![Dim::Known(3)]));
}

#[test]
fn aliases_are_seen_through_and_their_attributes_kept() {
    let text = "type Voltage = Real(unit = \"V\"); type Small = Voltage(max = 1); model M Small u(start = 2); end M;";
    let instance = instance(text, "M");
    let u = component(&instance, "u");
    assert_eq!(u.map(|it| it.ty.clone()), Some(Type::Real));
    let names: Vec<&str> = u
        .map(|it| it.attributes.iter().map(|a| a.name.as_str()).collect())
        .unwrap_or_default();
    assert_eq!(names, ["unit", "max", "start"]);
}
