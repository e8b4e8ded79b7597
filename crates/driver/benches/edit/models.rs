//! Models of any size, and the edits that are tried on them.

use std::fmt::Write;

/// What is typed. Every kind is applied again and again, with another number each time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// A remark in the model.
    Comment,
    /// A constant of an equation.
    Constant,
    /// An equation and the variable it determines come and go.
    Equation,
    /// A modifier of a component in the middle.
    Parameter,
    /// A component and its connections come and go.
    Component,
    /// A connection comes and goes.
    Connect,
    /// An attribute in a connector of the library.
    Library,
}

impl Edit {
    pub const ALL: [Self; 7] = [
        Self::Comment,
        Self::Constant,
        Self::Equation,
        Self::Parameter,
        Self::Component,
        Self::Connect,
        Self::Library,
    ];
}

/// A model named `Edited`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Model {
    /// Sections of a resistor and an inductor in a row and a capacitor to ground; every fourth has a diode beside the
    /// capacitor.
    Circuit(u32),
    /// Inertias with clutches between them.
    Gearbox(u32),
    /// A class of a library, extended.
    Extends(String),
}

impl Model {
    pub fn name(&self) -> String {
        match self {
            Self::Circuit(sections) => format!("circuit of {sections} sections"),
            Self::Gearbox(clutches) => format!("gearbox of {clutches} clutches"),
            Self::Extends(class) => class.clone(),
        }
    }

    /// The edits that make sense for it.
    pub fn edits(&self) -> impl Iterator<Item = Edit> {
        let own = !matches!(self, Self::Extends(_));
        let all = Edit::ALL.into_iter();
        let others = [Edit::Component, Edit::Connect, Edit::Library];
        all.filter(move |edit| own || !others.contains(edit))
    }

    /// Names that the connector of its components may have, and the declaration in it that gets an attribute.
    pub fn connector(&self) -> (&'static [&'static str], &'static str) {
        match self {
            Self::Circuit(_) => (
                &["Modelica.Electrical.Analog.Interfaces.Pin"],
                "SI.ElectricPotential v",
            ),
            _ => (
                &[
                    "Modelica.Mechanics.Rotational.Interfaces.Flange",
                    "Modelica.Mechanics.Rotational.Interfaces.Flange_a",
                ],
                "SI.Angle phi",
            ),
        }
    }

    /// The text after `count` edits of one kind.
    pub fn text(&self, edit: Edit, count: u32) -> String {
        let done = |kind| if edit == kind { count } else { 0 };
        let there = |kind| done(kind) % 2 == 1;
        let value = done(Edit::Parameter);
        let mut text = String::from("model Edited\n");
        let mut equations = String::new();
        let out = &mut (&mut text, &mut equations);
        let read = match self {
            Self::Circuit(sections) => circuit(out, *sections, value, edit, there(edit)),
            Self::Gearbox(clutches) => gearbox(out, *clutches, value, edit, there(edit)),
            Self::Extends(class) => {
                let _ = writeln!(
                    text,
                    "  extends {class};\n  parameter Real value = {value};"
                );
                "value".to_owned()
            }
        };
        let _ = writeln!(text, "  Real edited;");
        if there(Edit::Equation) {
            text.push_str("  Real more;\n");
            let _ = writeln!(equations, "  more = 2 * {read};");
        }
        let _ = writeln!(text, "  // Remark {}", done(Edit::Comment));
        // A factor of one would leave two units to be added.
        let constant = done(Edit::Constant) + 2;
        let _ = writeln!(
            text,
            "equation\n{equations}  edited = {constant} * time + {read};"
        );
        text.push_str("end Edited;\n");
        text
    }
}

type Out<'a> = (&'a mut String, &'a mut String);

/// Declarations and equations, and what an equation can read.
fn circuit(out: &mut Out<'_>, sections: u32, value: u32, edit: Edit, there: bool) -> String {
    let (declarations, equations) = out;
    let analog = "Modelica.Electrical.Analog";
    let _ = writeln!(
        declarations,
        "  {analog}.Sources.SineVoltage source(V = 10, f = 50);"
    );
    let _ = writeln!(declarations, "  {analog}.Basic.Ground ground;");
    let _ = writeln!(equations, "  connect(source.n, ground.p);");
    let middle = sections / 2;
    let mut node = "source.p".to_owned();
    for k in 1..=sections {
        let resistance = if k == middle { 100 + value } else { 10 + k % 7 };
        let _ = writeln!(
            declarations,
            "  {analog}.Basic.Resistor r{k}(R = {resistance});"
        );
        let _ = writeln!(
            declarations,
            "  {analog}.Basic.Inductor l{k}(L = 1e-{});",
            2 + k % 3
        );
        let _ = writeln!(
            declarations,
            "  {analog}.Basic.Capacitor c{k}(C = 1e-{});",
            3 + k % 4
        );
        let _ = writeln!(equations, "  connect({node}, r{k}.p);");
        let _ = writeln!(equations, "  connect(r{k}.n, l{k}.p);");
        let _ = writeln!(equations, "  connect(l{k}.n, c{k}.p);");
        let _ = writeln!(equations, "  connect(c{k}.n, ground.p);");
        if k % 4 == 0 {
            let _ = writeln!(declarations, "  {analog}.Ideal.IdealDiode d{k}(Vknee = 1);");
            let _ = writeln!(
                equations,
                "  connect(d{k}.n, c{k}.p);\n  connect(d{k}.p, ground.p);"
            );
        }
        node = format!("c{k}.p");
    }
    if edit == Edit::Component && there {
        let _ = writeln!(declarations, "  {analog}.Basic.Resistor load(R = 1);");
        let _ = writeln!(
            equations,
            "  connect(load.p, {node});\n  connect(load.n, ground.p);"
        );
    }
    if edit == Edit::Connect {
        let _ = writeln!(declarations, "  {analog}.Basic.Resistor load(R = 1);");
        let _ = writeln!(equations, "  connect(load.n, ground.p);");
        if there {
            let _ = writeln!(equations, "  connect(load.p, {node});");
        }
    }
    format!("c{middle}.v")
}

fn gearbox(out: &mut Out<'_>, clutches: u32, value: u32, edit: Edit, there: bool) -> String {
    let (declarations, equations) = out;
    let rotational = "Modelica.Mechanics.Rotational";
    let _ = writeln!(
        declarations,
        "  {rotational}.Components.Inertia inertia0(J = 1);"
    );
    let _ = writeln!(
        declarations,
        "  {rotational}.Sources.ConstantTorque torque(tau_constant = 1);"
    );
    let _ = writeln!(equations, "  connect(torque.flange, inertia0.flange_a);");
    let middle = clutches / 2;
    for k in 1..=clutches {
        let j = if k == middle { 100 + value } else { 1 + k % 7 };
        let before = k - 1;
        let _ = writeln!(
            declarations,
            "  {rotational}.Components.Clutch clutch{k}(fn_max = 10);"
        );
        let _ = writeln!(
            declarations,
            "  {rotational}.Components.Inertia inertia{k}(J = {j});"
        );
        let _ = writeln!(
            equations,
            "  clutch{k}.f_normalized = if time > {k} then 1 else 0;"
        );
        let _ = writeln!(
            equations,
            "  connect(inertia{before}.flange_b, clutch{k}.flange_a);"
        );
        let _ = writeln!(
            equations,
            "  connect(clutch{k}.flange_b, inertia{k}.flange_a);"
        );
    }
    let last = format!("inertia{clutches}.flange_b");
    if edit == Edit::Component && there {
        let _ = writeln!(
            declarations,
            "  {rotational}.Components.Inertia load(J = 1);"
        );
        let _ = writeln!(equations, "  connect(load.flange_a, {last});");
    }
    if edit == Edit::Connect {
        let _ = writeln!(
            declarations,
            "  {rotational}.Components.Inertia load(J = 1);"
        );
        if there {
            let _ = writeln!(equations, "  connect(load.flange_a, {last});");
        }
    }
    format!("inertia{middle}.w")
}
