//! Equations, bindings and statements whose units do not fit.

use crate::expression::{Clash, Units, divides_number, variable};
use crate::unit::Unit;
use modeshift_base::{FileId, FileSpan, FxHashMap, FxHashSet, Idx, Span};
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_flat::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, FunctionBody, Origin, OriginKind,
    Statement, StatementKind, Variable,
};
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::{Type, Variability};

/// Units are passed on along so many equalities.
const ROUNDS: usize = 20;

/// What clashes in a flat model: a warning for each place, with both units and where they come from.
pub fn check(model: &FlatModel) -> Vec<Diagnostic<FileSpan>> {
    let mut units = Units::new(model);
    if units.of.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut without_units = WithoutUnits::default();
    for place in &model.unit_values {
        without_units
            .entry(place.file)
            .or_default()
            .push(place.span);
    }
    for spans in without_units.values_mut() {
        spans.sort_unstable();
    }
    find_units(model, &mut units, &without_units);
    let mut checker = Checker {
        units,
        found: Vec::new(),
        seen: FxHashSet::default(),
        without_units,
    };
    checker.bindings();
    for equation in model.initial_equations.iter().chain(&model.equations) {
        checker.equation(equation);
    }
    for algorithm in model.initial_algorithms.iter().chain(&model.algorithms) {
        checker.statements(&algorithm.statements);
    }
    for function in &model.functions {
        if let FunctionBody::Algorithm(body) = &function.body {
            checker.units.enter(function);
            checker.statements(body);
        }
    }
    checker.found
}

/// By text: where a value stands for something with a unit, in order.
type WithoutUnits = FxHashMap<FileId, Vec<Span>>;

/// Whether a constant or parameter with a unit was replaced by its value there.
fn lost_a_unit(without_units: &WithoutUnits, place: FileSpan) -> bool {
    let Some(spans) = without_units.get(&place.file) else {
        return false;
    };
    let first = spans.partition_point(|it| it.start < place.span.start);
    spans.get(first).is_some_and(|it| it.start < place.span.end)
}

/// A variable without a unit has that of what it is equal to: connected signals, names for other variables, what is computed
/// from variables with units. A number without a dimension may stand for anything and is not passed on.
fn find_units(model: &FlatModel, units: &mut Units<'_>, without_units: &WithoutUnits) {
    let mut aliases: Vec<[Idx<Variable>; 2]> = Vec::new();
    // What a variable, or its derivative, is equal to.
    let mut open: Vec<(Idx<Variable>, bool, &FlatExp)> = Vec::new();
    for (id, own) in model.variables.iter_enumerated() {
        if let Some(binding) = &own.binding
            && own.ty == Type::Real
        {
            if let Some(other) = variable(binding) {
                aliases.push([id, other]);
            } else if own.variability > Variability::Parameter
                && !lost_a_unit(without_units, own.origin.span)
            {
                open.push((id, false, binding));
            }
        }
    }
    for equation in &model.equations {
        if let EquationKind::Equality { lhs, rhs, ty } = &equation.kind
            && *ty == Type::Real
            && !lost_a_unit(without_units, equation.origin.span)
        {
            for (own, other) in [(lhs, rhs), (rhs, lhs)] {
                if let Some(id) = variable(own) {
                    open.push((id, false, other));
                } else if let Some(id) = differentiated(own) {
                    open.push((id, true, other));
                }
            }
        }
    }
    for _ in 0..ROUNDS {
        let before = open.len() + aliases.len();
        aliases.retain(|[a, b]| {
            let (left, right) = (units.of[a.index()], units.of[b.index()]);
            units.of[a.index()] = left.or(right);
            units.of[b.index()] = right.or(left);
            left.or(right).is_none()
        });
        open.retain(|&(id, integrated, exp)| {
            if units.of[id.index()].is_some() {
                return false;
            }
            let found = units.unit(exp);
            let found = found.and_then(|it| match integrated {
                true => it.times(Unit::SECOND),
                false => Some(it),
            });
            let plain = variable(exp).is_some();
            units.of[id.index()] = found.filter(|it| plain || !it.is_dimensionless());
            units.of[id.index()].is_none()
        });
        units.clashes.clear();
        if open.len() + aliases.len() == before {
            break;
        }
    }
}

/// `x` in `der(x)`.
fn differentiated(exp: &FlatExp) -> Option<Idx<Variable>> {
    match exp {
        Exp::Call(call) => match (&call.function, call.args.as_slice()) {
            (Callee::Builtin(name), [inner]) if *name == "der" => variable(inner),
            _ => None,
        },
        _ => None,
    }
}

struct Checker<'m> {
    units: Units<'m>,
    found: Vec<Diagnostic<FileSpan>>,
    seen: FxHashSet<FileSpan>,
    without_units: WithoutUnits,
}

impl<'m> Checker<'m> {
    fn bindings(&mut self) {
        for (id, variable) in self.units.model.variables.iter_enumerated() {
            let (Some(binding), Type::Real) = (&variable.binding, &variable.ty) else {
                continue;
            };
            let own = Exp::Ref(FlatRef::Var(id));
            let Some(other) = crate::expression::variable(binding) else {
                self.computed(variable, &own, binding);
                continue;
            };
            // An angle in degrees is declared so; what else has no dimension may be anything.
            let has_dimension = |id: Idx<Variable>| {
                self.units.of[id.index()].is_some_and(|it| !it.is_dimensionless())
                    || self.declared(id).is_some_and(|it| it != "1")
            };
            if has_dimension(id) && has_dimension(other) {
                self.units.same("declaration and value", &own, binding);
                self.tell(&variable.origin, None);
            }
        }
    }

    /// A declaration with a value that is computed: unless a constant in it has lost its unit. What is computed without a
    /// dimension may be anything.
    fn computed(&mut self, variable: &Variable, own: &FlatExp, binding: &FlatExp) {
        // The fields of a record may have their values from a constructor somewhere else.
        let field = variable.name.get(variable.stem as usize..);
        if field.is_none_or(|it| it.contains('.')) {
            return;
        }
        // The number that is divided in the value of a parameter, `1.5/(2*pi*f)`, may have been written for any unit.
        if variable.variability <= Variability::Parameter && divides_number(binding) {
            return;
        }
        let value = self.units.unit(binding);
        if self.units.clashes.is_empty() && value.is_some_and(|it| !it.is_dimensionless()) {
            self.units.same("declaration and value", own, binding);
        }
        self.tell(&variable.origin, None);
    }

    fn equation(&mut self, equation: &Equation) {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, ty } => {
                if *ty == Type::Real {
                    self.units.same("sides of this equation", lhs, rhs);
                } else {
                    self.units.unit(lhs);
                    self.units.unit(rhs);
                }
                self.tell(&equation.origin, Some([lhs, rhs]));
            }
            EquationKind::If { branches, else_ } => {
                for (condition, body) in branches {
                    self.units.unit(condition);
                    self.tell(&equation.origin, None);
                    body.iter().for_each(|it| self.equation(it));
                }
                else_.iter().for_each(|it| self.equation(it));
            }
            EquationKind::When { branches } => {
                for (condition, body) in branches {
                    self.units.unit(condition);
                    self.tell(&equation.origin, None);
                    body.iter().for_each(|it| self.equation(it));
                }
            }
            EquationKind::Assert { condition, .. } => {
                self.units.unit(condition);
                self.tell(&equation.origin, None);
            }
            EquationKind::Reinit { variable, value } => {
                self.units.same("variable and new value", variable, value);
                self.tell(&equation.origin, None);
            }
            EquationKind::For { .. } | EquationKind::Terminate { .. } | EquationKind::Call(_) => {}
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, ty } => {
                    if *ty == Type::Real {
                        self.units.same("variable and new value", target, value);
                    }
                    self.tell(&statement.origin, None);
                }
                StatementKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        self.units.unit(condition);
                        self.tell(&statement.origin, None);
                        self.statements(body);
                    }
                    self.statements(else_);
                }
                StatementKind::When { branches } => {
                    for (_, body) in branches {
                        self.statements(body);
                    }
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    self.statements(body);
                }
                _ => {}
            }
        }
    }

    /// Reports what clashed in the equation that was just looked at: one message, however many clashes it has.
    fn tell(&mut self, origin: &Origin, sides: Option<[&FlatExp; 2]>) {
        let mut clashes = std::mem::take(&mut self.units.clashes).into_iter();
        let Some(clash) = clashes.next() else { return };
        if lost_a_unit(&self.without_units, origin.span) || !self.seen.insert(origin.span) {
            return;
        }
        let mut diagnostic = self.explain(&clash, origin, sides);
        diagnostic.notes.extend(self.other_operator(&clash, sides));
        self.found.push(diagnostic);
    }

    /// A product where a quotient would fit, or the other way round.
    fn other_operator(&mut self, clash: &Clash, sides: Option<[&FlatExp; 2]>) -> Option<String> {
        let [lhs, rhs] = sides.filter(|_| clash.what == "sides of this equation")?;
        let Exp::Binary(op, factors) = rhs else {
            return None;
        };
        let (other, symbol, written) = match op {
            BinaryOp::Mul => (BinaryOp::Div, "/", "*"),
            BinaryOp::Div => (BinaryOp::Mul, "*", "/"),
            _ => return None,
        };
        let wanted = self.units.unit(lhs);
        let changed = Exp::Binary(other, factors.clone());
        let unit = self.units.unit(&changed);
        self.units.clashes.clear();
        wanted?.is_same(unit?).then(|| {
            format!("with `{symbol}` instead of `{written}` on the right side, the units agree")
        })
    }

    fn explain(
        &self,
        clash: &Clash,
        origin: &Origin,
        sides: Option<[&FlatExp; 2]>,
    ) -> Diagnostic<FileSpan> {
        let (lhs, rhs) = (sides.map(|it| it[0]), sides.map(|it| it[1]));
        let [a, b] = clash.units;
        let names = [0, 1].map(|side| self.name(clash, side));
        let place = match origin.kind {
            OriginKind::Connection => "the units are connected here",
            _ => "the units meet here",
        };
        let mut diagnostic = Diagnostic::new(
            Code::MS3011,
            format!(
                "the {} have different units, {} and {}",
                clash.what, names[0], names[1]
            ),
        )
        .label(origin.span, place);
        for id in clash.variables.into_iter().flatten() {
            let variable = &self.units.model.variables[id];
            if variable.origin.span == origin.span {
                continue;
            }
            let how = match self.declared(id) {
                Some(text) => format!("`{}` is in `{text}`", variable.name),
                None => format!(
                    "other equations give `{}` the unit `{}`",
                    variable.name,
                    self.of(id)
                ),
            };
            diagnostic = diagnostic.label(variable.origin.span, how);
        }
        if !a.same_dimension(b) {
            return diagnostic;
        }
        if a.zero().is_some() || b.zero().is_some() {
            return diagnostic.note(format!(
                "the zero of {} is at {} K: convert with a function such as `Modelica.Units.Conversions.from_degC`",
                if a.zero().is_some() { &names[0] } else { &names[1] },
                short(a.zero().or(b.zero()).unwrap_or_default())
            ));
        }
        let factor = a.factor_to(b);
        let declared = [0, 1].map(|side| clash.variables[side].and_then(|id| self.declared(id)));
        let note = match declared {
            [Some(_), Some(_)] => format!("1 {} is {} {}", names[0], short(factor), names[1]),
            _ => format!("the first unit is {} times the second", short(factor)),
        };
        let plain = lhs.is_some_and(|lhs| matches!(lhs, Exp::Ref(_)));
        let own = origin.kind == OriginKind::Equation && clash.what == "sides of this equation";
        if !(plain && own) {
            return diagnostic.note(note);
        }
        // `p = pBar` is read as giving `p` a value: the right side is converted, where that is possible.
        let (at, side, factor) = match rhs {
            Some(Exp::Ref(FlatRef::Var(id))) if origin.instance.is_empty() => {
                let name = &self.units.model.variables[*id].name;
                let mut at = origin.span.end();
                at.span.start -= name.len() as u32;
                at.span.end = at.span.start;
                (at, "right", 1.0 / factor)
            }
            _ => (origin.span.start(), "left", factor),
        };
        let edit = Edit {
            at,
            text: format!("{} * ", short(factor)),
        };
        diagnostic.note(note).fix(
            format!("multiply the {side} side by {}", short(factor)),
            vec![edit],
        )
    }

    /// A unit as it is declared, or worked out.
    fn name(&self, clash: &Clash, side: usize) -> String {
        let declared = clash.variables[side].and_then(|id| self.declared(id));
        match declared {
            Some(text) => format!("`{text}`"),
            None => format!("`{}`", clash.units[side]),
        }
    }

    fn declared(&self, id: Idx<Variable>) -> Option<&str> {
        let attributes = &self.units.model.variables[id].attributes;
        let unit = attributes.iter().find(|it| it.name == "unit")?;
        match &unit.value {
            Exp::Str(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    fn of(&self, id: Idx<Variable>) -> Unit {
        self.units.of[id.index()].unwrap_or(Unit::ONE)
    }
}

/// A factor without the noise of its rounding.
fn short(value: f64) -> String {
    let text = format!("{value:.9e}");
    match text.parse::<f64>() {
        Ok(rounded) => format!("{rounded}"),
        Err(_) => text,
    }
}
