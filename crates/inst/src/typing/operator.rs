//! Binary operators (Modelica 3.6 §10.6): which form of an operator the operands' dimensions select.

use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::{BinaryOp, Exp};
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast;

/// Places of the left operand, the right one, and the whole.
pub(crate) type Places = [Place; 3];

pub(crate) fn symbol(op: ast::BinaryOp) -> &'static str {
    use ast::BinaryOp as B;
    match op {
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Pow => "^",
        B::ElementAdd => ".+",
        B::ElementSub => ".-",
        B::ElementMul => ".*",
        B::ElementDiv => "./",
        B::ElementPow => ".^",
        B::And => "and",
        B::Or => "or",
        B::Less => "<",
        B::LessEqual => "<=",
        B::Greater => ">",
        B::GreaterEqual => ">=",
        B::Equal => "==",
        B::NotEqual => "<>",
    }
}

/// `<`, `<=`, `>`, `>=`, `==`, `<>`.
pub(crate) fn is_relation(op: ast::BinaryOp) -> bool {
    use ast::BinaryOp as B;
    matches!(
        op,
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual
    )
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_binary(
        &mut self,
        op: ast::BinaryOp,
        lhs: Typed,
        rhs: Typed,
        places: Places,
        env: &mut Env,
    ) -> Typed {
        use ast::BinaryOp as B;
        if lhs.is_error() || rhs.is_error() {
            return Typed::error();
        }
        let (lhs, rhs) = (first_output(lhs), first_output(rhs));
        if lhs.ty.is_record() || rhs.ty.is_record() {
            return self.overloaded_binary(op, lhs, rhs, places, env);
        }
        match op {
            B::And | B::Or => self.type_logical(op, lhs, rhs, places),
            _ if is_relation(op) => self.type_relation(op, lhs, rhs, places, env),
            B::Add if *lhs.ty.element() == Type::String && *rhs.ty.element() == Type::String => {
                let Some(ty) = fit::join(&lhs.ty, &rhs.ty) else {
                    return self.operand_mismatch(op, &lhs, &rhs, places);
                };
                binary(BinaryOp::Add, lhs, rhs, ty)
            }
            _ if !lhs.ty.is_numeric() || !rhs.ty.is_numeric() => {
                self.operand_mismatch(op, &lhs, &rhs, places)
            }
            _ => self.type_arithmetic(op, lhs, rhs, places),
        }
    }

    fn type_logical(&mut self, op: ast::BinaryOp, lhs: Typed, rhs: Typed, places: Places) -> Typed {
        let boolean = *lhs.ty.element() == Type::Boolean && *rhs.ty.element() == Type::Boolean;
        let Some(ty) = fit::join(&lhs.ty, &rhs.ty).filter(|_| boolean) else {
            return self.operand_mismatch(op, &lhs, &rhs, places);
        };
        let op = if op == ast::BinaryOp::And {
            BinaryOp::And
        } else {
            BinaryOp::Or
        };
        binary(op, lhs, rhs, ty)
    }

    fn type_relation(
        &mut self,
        op: ast::BinaryOp,
        lhs: Typed,
        rhs: Typed,
        places: Places,
        env: &Env,
    ) -> Typed {
        use ast::BinaryOp as B;
        let joined = fit::join(&lhs.ty, &rhs.ty).filter(|ty| !ty.is_array());
        let Some(ty) =
            joined.filter(|ty| !matches!(ty, Type::Function(_) | Type::External(_) | Type::Clock))
        else {
            return self.operand_mismatch(op, &lhs, &rhs, places);
        };
        let real = ty == Type::Real;
        if real
            && matches!(op, B::Equal | B::NotEqual)
            && !env.function
            && lhs.var.max(rhs.var) > Variability::Parameter
        {
            let diagnostic = Diagnostic::new(
                Code::MS2041,
                format!("`{}` compares Reals that change continuously", symbol(op)),
            )
            .label(places[2], "whether they are equal depends on rounding")
            .note("Use `<`, `<=`, `>` or `>=`, or compare Integers (Modelica 3.6 §3.5).");
            self.report(diagnostic);
        }
        let var = lhs.var.max(rhs.var);
        let var = if env.no_event {
            var
        } else {
            var.min(Variability::Discrete)
        };
        let op = match op {
            B::Less => BinaryOp::Less,
            B::LessEqual => BinaryOp::LessEq,
            B::Greater => BinaryOp::Greater,
            B::GreaterEqual => BinaryOp::GreaterEq,
            B::Equal => BinaryOp::Equal,
            _ => BinaryOp::NotEqual,
        };
        let l = fit(lhs.exp, &lhs.ty, &ty).unwrap_or(Exp::Error);
        let r = fit(rhs.exp, &rhs.ty, &ty).unwrap_or(Exp::Error);
        Typed::new(Exp::Binary(op, Box::new((l, r))), Type::Boolean, var)
    }

    fn type_arithmetic(
        &mut self,
        op: ast::BinaryOp,
        lhs: Typed,
        rhs: Typed,
        places: Places,
    ) -> Typed {
        use ast::BinaryOp as B;
        let always_real = matches!(op, B::Div | B::ElementDiv | B::Pow | B::ElementPow);
        let both_integer = *lhs.ty.element() == Type::Integer && *rhs.ty.element() == Type::Integer;
        let element = if both_integer && !always_real {
            Type::Integer
        } else {
            Type::Real
        };
        let matrix_power = op == B::Pow && lhs.ty.rank() == 2;
        let form = form(op, &lhs.ty, &rhs.ty);
        let Some((op, dims)) = form else {
            return self.operand_mismatch(op, &lhs, &rhs, places);
        };
        if matrix_power && *rhs.ty.element() != Type::Integer {
            return self.operand_mismatch(ast::BinaryOp::Pow, &lhs, &rhs, places);
        }
        if matrix_power && matches!(rhs.exp, Exp::Int(power) if power < 0) {
            self.error(
                Code::MS2021,
                places[1],
                "the power of a matrix cannot be negative",
                "a negative power",
            );
            return Typed::error();
        }
        let cast = |typed: Typed| {
            let ty = typed.ty.with_element(element.clone());
            let exp = fit::fit_element(typed.exp, &typed.ty, &ty).unwrap_or(Exp::Error);
            Typed {
                exp,
                ty,
                var: typed.var,
            }
        };
        let rhs = if matrix_power { rhs } else { cast(rhs) };
        binary(op, cast(lhs), rhs, Type::array(element.clone(), dims))
    }

    pub(crate) fn operand_mismatch(
        &mut self,
        op: ast::BinaryOp,
        lhs: &Typed,
        rhs: &Typed,
        places: Places,
    ) -> Typed {
        let symbol = symbol(op);
        let diagnostic = Diagnostic::new(
            Code::MS2021,
            format!("`{symbol}` cannot be applied to {} and {}", lhs.ty, rhs.ty),
        )
        .label(places[0], format!("this is {}", lhs.ty))
        .label(places[1], format!("this is {}", rhs.ty));
        let sides = [(lhs, places[0]), (rhs, places[1])];
        let diagnostic = self.explain_operands(diagnostic, op, sides);
        self.report(diagnostic);
        Typed::error()
    }
}

/// `f(x)` with several outputs means its first inside an expression.
pub(crate) fn first_output(typed: Typed) -> Typed {
    match &typed.ty {
        Type::Tuple(items) if matches!(typed.exp, Exp::Call(_)) => match items.first() {
            Some(first) => {
                let ty = first.clone();
                Typed::new(Exp::TupleElement(Box::new(typed.exp), 1), ty, typed.var)
            }
            None => typed,
        },
        // A call that was evaluated.
        Type::Tuple(items) if typed.var == Variability::Constant => {
            match (&typed.exp, items.first()) {
                (Exp::Tuple(values), Some(ty)) if values.iter().all(Option::is_some) => {
                    let first = values
                        .iter()
                        .flatten()
                        .next()
                        .cloned()
                        .unwrap_or(Exp::Error);
                    Typed::constant(first, ty.clone())
                }
                _ => typed,
            }
        }
        _ => typed,
    }
}

fn binary(op: BinaryOp, lhs: Typed, rhs: Typed, ty: Type) -> Typed {
    let var = lhs.var.max(rhs.var);
    Typed::new(Exp::Binary(op, Box::new((lhs.exp, rhs.exp))), ty, var)
}

/// The typed operator and the dimensions of its result, by the dimensions of the operands.
fn form(op: ast::BinaryOp, lhs: &Type, rhs: &Type) -> Option<(BinaryOp, Vec<Dim>)> {
    use ast::BinaryOp as B;
    let (l, r) = (lhs.dims(), rhs.dims());
    let same = l.len() == r.len() && l.iter().zip(r).all(|(a, b)| a.compatible(b));
    let both = || {
        l.iter()
            .zip(r)
            .map(|(a, b)| fit::better(a, b))
            .collect::<Vec<_>>()
    };
    let elementwise = |plain: BinaryOp, broadcast: BinaryOp| match (l.is_empty(), r.is_empty()) {
        (true, true) => Some((plain, Vec::new())),
        (true, false) => Some((broadcast, r.to_vec())),
        (false, true) => Some((broadcast, l.to_vec())),
        (false, false) => same.then(|| (plain, both())),
    };
    match op {
        B::Add => same.then(|| (BinaryOp::Add, both())),
        B::Sub => same.then(|| (BinaryOp::Sub, both())),
        B::ElementAdd => elementwise(BinaryOp::Add, BinaryOp::AddElem),
        B::ElementSub => elementwise(BinaryOp::Sub, BinaryOp::SubElem),
        B::ElementMul if !l.is_empty() && !r.is_empty() => {
            same.then(|| (BinaryOp::MulElem, both()))
        }
        B::ElementMul => elementwise(BinaryOp::Mul, BinaryOp::MulElem),
        B::ElementDiv if !l.is_empty() && !r.is_empty() => {
            same.then(|| (BinaryOp::DivElem, both()))
        }
        B::ElementDiv => elementwise(BinaryOp::Div, BinaryOp::DivElem),
        B::ElementPow if !l.is_empty() && !r.is_empty() => {
            same.then(|| (BinaryOp::PowElem, both()))
        }
        B::ElementPow => elementwise(BinaryOp::Pow, BinaryOp::PowElem),
        B::Mul => product(l, r),
        B::Div => match (l.is_empty(), r.is_empty()) {
            (true, true) => Some((BinaryOp::Div, Vec::new())),
            (false, true) => Some((BinaryOp::DivElem, l.to_vec())),
            _ => None,
        },
        B::Pow => match (l, r) {
            ([], []) => Some((BinaryOp::Pow, Vec::new())),
            ([a, b], []) if a.compatible(b) => Some((BinaryOp::MatPow, l.to_vec())),
            _ => None,
        },
        _ => None,
    }
}

/// Whether `*` takes operands of these types.
pub(super) fn multiplies(lhs: &Type, rhs: &Type) -> bool {
    product(lhs.dims(), rhs.dims()).is_some()
}

fn product(l: &[Dim], r: &[Dim]) -> Option<(BinaryOp, Vec<Dim>)> {
    match (l, r) {
        ([], []) => Some((BinaryOp::Mul, Vec::new())),
        ([], _) => Some((BinaryOp::MulElem, r.to_vec())),
        (_, []) => Some((BinaryOp::MulElem, l.to_vec())),
        ([n], [m]) => n.compatible(m).then(|| (BinaryOp::MatMul, Vec::new())),
        ([n], [m, p]) => n.compatible(m).then(|| (BinaryOp::MatMul, vec![p.clone()])),
        ([n, m], [p]) => m.compatible(p).then(|| (BinaryOp::MatMul, vec![n.clone()])),
        ([n, m], [p, q]) => m
            .compatible(p)
            .then(|| (BinaryOp::MatMul, vec![n.clone(), q.clone()])),
        _ => None,
    }
}
