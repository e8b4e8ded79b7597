//! What to do about values whose type or size does not fit: advice, fixes, and where what is involved is declared.

use super::Typed;
use crate::cx::Cx;
use crate::exp::{Callee, Exp};
use crate::tree::Place;
use crate::ty::{Dim, Type};
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_syntax::ast;

/// How a value of type `given` becomes one of type `wanted`.
pub(crate) fn conversion(wanted: &Type, given: &Type) -> Option<String> {
    let text = match (wanted.element(), given.element()) {
        (Type::Boolean, Type::Integer | Type::Real) => {
            "a Boolean is `true`, `false` or a comparison such as `x > 0`"
        }
        (Type::Integer, Type::Real) => {
            "`integer(x)` rounds down and `integer(x + 0.5)` to the nearest Integer; `div(a, b)` is the whole part of a \
             quotient of Integers"
        }
        (Type::Integer | Type::Real, Type::Boolean) => {
            "write `if b then 1 else 0` for the number of a Boolean"
        }
        (Type::String, Type::Integer | Type::Real | Type::Boolean) => {
            "write `String(x)` for the text of a value"
        }
        (Type::Enumeration(ty), _) if !ty.literals.is_empty() => {
            const MAX_SHOWN: usize = 6;
            let shown = ty.literals.iter().take(MAX_SHOWN);
            let shown: Vec<String> = shown.map(|it| format!("`{}.{it}`", ty.path)).collect();
            return Some(format!(
                "write one of its literals, such as {}",
                shown.join(", ")
            ));
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for two values that should have the same size.
fn sizes(a: &Type, b: &Type) -> Option<String> {
    let (scalar, array) = match (a.rank(), b.rank()) {
        (0, 1..) => (a, b),
        (1.., 0) => (b, a),
        _ => return None,
    };
    if scalar.is_record() {
        return None;
    }
    let single = array.dims().iter().all(|dim| dim.known() == Some(1));
    Some(match single {
        true => "an array with one element is not a scalar: write `scalar(…)`, or its subscripts".into(),
        false => "write the subscripts if one element of the array is meant; `sum`, `max` and `min` reduce an array to one number".into(),
    })
}

/// The dimensions of a matrix with rows and columns exchanged.
pub(super) fn transposed(ty: &Type) -> Option<Type> {
    match ty.dims() {
        [rows, columns] => {
            let dims = vec![columns.clone(), rows.clone()];
            Some(Type::array(ty.element().clone(), dims))
        }
        _ => None,
    }
}

impl Cx<'_, '_> {
    /// Adds what helps with two sides of different types: the declarations, how one is made from the other, and
    /// `true` and `false` for the numbers 1 and 0.
    pub(crate) fn explain_sides(
        &self,
        mut diagnostic: Diagnostic<Place>,
        sides: [(&Typed, Place); 2],
    ) -> Diagnostic<Place> {
        let [(a, at), (b, bt)] = sides;
        diagnostic = self.label_declaration(diagnostic, &a.exp);
        diagnostic = self.label_declaration(diagnostic, &b.exp);
        let same = a.ty.element() == b.ty.element() || a.ty.is_numeric() && b.ty.is_numeric();
        if same {
            let product = |array: &Typed, other: &Typed| {
                array.ty.rank() == 1 && other.ty.rank() == 0 && is_product(&other.exp)
            };
            if product(a, b) || product(b, a) {
                return diagnostic.note(
                    "`*` of two vectors is their scalar product, one number: `.*` multiplies element by element",
                );
            }
            let outputs = |array: &Typed, call: &Typed| {
                matches!(&array.exp, Exp::Array(..))
                    && matches!(&call.exp, Exp::TupleElement(inner, _) if matches!(**inner, Exp::Call(_)))
            };
            if outputs(a, b) || outputs(b, a) {
                return diagnostic.note(
                    "several outputs of a function are written in parentheses: `(a, b) = f(x)`; braces make an array",
                );
            }
            diagnostic.notes.extend(sizes(&a.ty, &b.ty));
            return diagnostic;
        }
        diagnostic = truth(diagnostic, &a.ty, b, bt);
        diagnostic = truth(diagnostic, &b.ty, a, at);
        if diagnostic.fixes.is_empty() {
            diagnostic.notes.extend(conversion(&a.ty, &b.ty));
        }
        diagnostic
    }

    /// A call that gives nothing where a value is needed. Where the function's variables are in doubt, that is the cause.
    pub(crate) fn no_result(&mut self, typed: &Typed, place: Place) {
        let doubtful = |known: &Diagnostic<Place>| {
            known.code == Code::MS2031
                && known
                    .message
                    .contains("neither input, output nor protected")
        };
        if self.out.diagnostics.iter().any(doubtful) {
            return;
        }
        let name = match &typed.exp {
            Exp::Call(call) => match &call.function {
                Callee::User(name) => format!("`{name}`"),
                Callee::Builtin(name) => format!("`{name}`"),
            },
            _ => "this function".into(),
        };
        self.report(
            Diagnostic::new(
                Code::MS2020,
                format!("{name} has no output, so its call has no value"),
            )
            .label(place, "a value is needed here")
            .note("declare the result in the function with `output`"),
        );
    }

    /// Labels the declaration of an array with its sizes.
    fn label_type(&self, diagnostic: Diagnostic<Place>, exp: &Exp) -> Diagnostic<Place> {
        match exp {
            Exp::Ref(cref) if cref.ty.rank() > 0 => match cref.component() {
                Some(id) => {
                    let component = &self.out.components[id];
                    let text = format!("`{}` is {}", component.name, cref.ty);
                    diagnostic.label(component.place, text)
                }
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    /// Advice for operands that an operator does not take.
    pub(super) fn explain_operands(
        &self,
        mut diagnostic: Diagnostic<Place>,
        op: ast::BinaryOp,
        sides: [(&Typed, Place); 2],
    ) -> Diagnostic<Place> {
        use ast::BinaryOp as B;
        let [(lhs, _), (rhs, _)] = sides;
        let (l, r) = (&lhs.ty, &rhs.ty);
        let symbol = super::operator::symbol(op);
        diagnostic = self.label_declaration(diagnostic, &lhs.exp);
        diagnostic = self.label_declaration(diagnostic, &rhs.exp);
        for (this, (other, place)) in [(l, sides[1]), (r, sides[0])] {
            if let (Type::Enumeration(ty), Exp::Int(value)) = (this, &other.exp) {
                let literal = usize::try_from(*value - 1)
                    .ok()
                    .and_then(|at| ty.literals.get(at));
                diagnostic = diagnostic.note(
                    "an enumeration is compared with its literals; `Integer(x)` is the position of a literal",
                );
                if let Some(literal) = literal {
                    let text = format!("{}.{literal}", ty.path);
                    diagnostic =
                        diagnostic.fix(format!("write `{text}`"), vec![Edit { at: place, text }]);
                }
                return diagnostic;
            }
        }
        let numbers = l.is_numeric() && r.is_numeric();
        let truth = |ty: &Type| matches!(ty.element(), Type::Boolean);
        if matches!(op, B::And | B::Or) && (l.is_numeric() || r.is_numeric()) {
            return diagnostic.note(format!(
                "a number is not a condition: write a comparison such as `x > 0` on both sides of `{symbol}`"
            ));
        }
        if numbers && l.rank() != r.rank() && matches!(op, B::Add | B::Sub) {
            let column = |ty: &Type| {
                let dims = ty.dims();
                dims.len() == 2 && dims[1].known() == Some(1)
            };
            if column(l) && r.rank() == 1 || column(r) && l.rank() == 1 {
                return diagnostic.note(
                    "a matrix with one column is not a vector: `B[:, 1]` is its column, and `vector(…)` makes a vector of it",
                );
            }
            if l.rank() > 0 && r.rank() > 0 {
                for side in [lhs, rhs] {
                    if let Exp::Binary(_, factors) = &side.exp {
                        diagnostic = self.label_type(diagnostic, &factors.0);
                        diagnostic = self.label_type(diagnostic, &factors.1);
                    }
                }
                return diagnostic.note(format!(
                    "`{symbol}` needs operands of the same sizes: check the sizes of the arrays in their declarations"
                ));
            }
            return diagnostic.note(format!(
                "write the subscript if one element of the array is meant; `.{symbol}` applies `{symbol}` to each element"
            ));
        }
        if numbers && r.rank() > 0 && matches!(op, B::Div) {
            let note = match r.rank() {
                2 => {
                    "nothing is divided by a matrix: write `A*x = b` as the equation, or `x = Modelica.Math.Matrices.solve(A, b)`"
                }
                _ => "`./` divides element by element",
            };
            return diagnostic.note(note);
        }
        if truth(l) && r.is_numeric() || truth(r) && l.is_numeric() {
            if matches!(op, B::Equal | B::NotEqual) {
                return diagnostic.note(
                    "a Boolean is itself a condition: write `b` for true and `not b` for false",
                );
            }
            return diagnostic.note(
                "a Boolean is not a number: write `if b then x else 0` for a value that counts only while `b` is true",
            );
        }
        if truth(l) && truth(r) {
            let word = match op {
                B::Add => "or",
                B::Mul => "and",
                _ => return diagnostic,
            };
            return diagnostic.note(format!(
                "Booleans are combined with `and` and `or`: write `{word}`"
            ));
        }
        let text = |ty: &Type| matches!(ty.element(), Type::String);
        if op == B::Add && text(l) != text(r) {
            return diagnostic.note("write `String(x)` for the text of a value");
        }
        if !numbers || op != B::Mul {
            return diagnostic;
        }
        // A row where a column is meant, and the reverse.
        for (this, turned, other_side) in [(lhs, transposed(l), r), (rhs, transposed(r), l)] {
            let Some(turned) = turned else { continue };
            let fits = match std::ptr::eq(this, lhs) {
                true => super::operator::multiplies(&turned, other_side),
                false => super::operator::multiplies(other_side, &turned),
            };
            if fits {
                let dims = this.ty.dims();
                let shape = match (
                    dims.first().and_then(Dim::known),
                    dims.get(1).and_then(Dim::known),
                ) {
                    (Some(1), _) => {
                        "one row: with `;` between its elements it is a column, which fits"
                    }
                    (_, Some(1)) => {
                        "one column: with `,` between its elements it is a row, which fits"
                    }
                    _ => "transposed it fits: `transpose(…)`",
                };
                return diagnostic.note(match shape.starts_with("one") {
                    true => format!("the matrix of type {} is {shape}", this.ty),
                    false => format!("the matrix of type {} does not fit, but {shape}", this.ty),
                });
            }
        }
        diagnostic.note("`*` of two vectors is their scalar product and needs equal sizes, `*` of matrices needs as many columns on the left as rows on the right")
    }
}

fn is_product(exp: &Exp) -> bool {
    match exp {
        Exp::Binary(crate::exp::BinaryOp::MatMul, _) => true,
        Exp::Binary(_, sides) => is_product(&sides.0) || is_product(&sides.1),
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => is_product(inner),
        _ => false,
    }
}

/// Offers `true` or `false` for a 1 or 0 where a Boolean is wanted.
fn truth(
    diagnostic: Diagnostic<Place>,
    wanted: &Type,
    given: &Typed,
    place: Place,
) -> Diagnostic<Place> {
    let text = match (&given.exp, wanted) {
        (Exp::Int(1), Type::Boolean) => "true",
        (Exp::Int(0), Type::Boolean) => "false",
        _ => return diagnostic,
    };
    diagnostic
        .note("a Boolean is `true` or `false`, not 1 or 0")
        .fix(
            format!("write `{text}`"),
            vec![Edit {
                at: place,
                text: text.into(),
            }],
        )
}
