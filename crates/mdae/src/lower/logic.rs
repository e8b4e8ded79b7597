//! Boolean expressions become conditions; relations on numbers become mode variables.

use super::collect::is_builtin;
use super::constants::Value;
use super::{Bound, Lower};
use crate::cond::Conds;
use crate::model::{Meaning, ModeDef, ModeId, Predicate};
use crate::predicate::{Canonical, canonical};
use crate::print::Text;
use crate::sym::{
    CondId, Expr, Kind, RelOp, Style, VarId as SymVar, for_each_node, print, variables,
};
use modeshift_flat::model::{self as flat, FlatExp, FlatRef};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, UnaryOp};
use modeshift_inst::ty::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// If-expressions inside each other whose cases are compared one by one.
const MAX_CHOICES: u32 = 8;

/// What kind of value a relation compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Boolean,
    Text,
}

impl Lower<'_> {
    /// A Boolean expression as a condition.
    pub(super) fn cond(&mut self, exp: &FlatExp) -> CondId {
        if let Some(Value::Bool(value)) = self.constants.evaluate(exp) {
            return Conds::constant(value);
        }
        self.deeper(|this| this.cond_inner(exp))
            .unwrap_or(Conds::FALSE)
    }

    fn cond_inner(&mut self, exp: &FlatExp) -> CondId {
        match exp {
            Exp::Bool(value) => Conds::constant(*value),
            Exp::Ref(FlatRef::Var(id)) => self.truth_of(*id),
            Exp::Unary(UnaryOp::Not, inner) => {
                let inner = self.cond(inner);
                self.out.conds.not(inner)
            }
            Exp::Binary(op @ (BinaryOp::And | BinaryOp::Or), _) => self.junction(*op, exp),
            Exp::Binary(op, sides) => match relation(*op) {
                Some(op) => self.relation(op, &sides.0, &sides.1),
                None => self.no_condition("this operator between Booleans"),
            },
            Exp::If(branch) => {
                let condition = self.cond(&branch.condition);
                let then = self.cond(&branch.then);
                let otherwise = self.cond(&branch.else_);
                self.out.conds.ite(condition, then, otherwise)
            }
            Exp::Call(call) => self.logical_call(call, exp),
            Exp::Cast(_, inner) => self.cond(inner),
            // `when {a, b}`: whichever becomes true.
            Exp::Array(items, _) => {
                let items: Vec<CondId> = items.iter().map(|item| self.cond(item)).collect();
                self.out.conds.or(items)
            }
            Exp::Ref(FlatRef::Group(group)) => {
                let members = self.flat.groups[*group].members.clone();
                let items: Vec<CondId> = members.into_iter().map(|id| self.truth_of(id)).collect();
                self.out.conds.or(items)
            }
            _ => self.opaque_truth(exp),
        }
    }

    fn no_condition(&mut self, construct: &str) -> CondId {
        self.unsupported(construct);
        Conds::FALSE
    }

    /// A chain `a and b and c …` without recursion along the chain.
    fn junction(&mut self, op: BinaryOp, exp: &FlatExp) -> CondId {
        let mut operands = Vec::new();
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Binary(inner, sides) if *inner == op => stack.extend([&sides.1, &sides.0]),
                other => operands.push(self.cond(other)),
            }
        }
        if op == BinaryOp::And {
            self.out.conds.and(operands)
        } else {
            self.out.conds.or(operands)
        }
    }

    /// The truth of a Boolean variable.
    pub(super) fn truth_of(&mut self, id: flat::VarId) -> CondId {
        if let Some(Bound::Truth(condition)) = self.env.get(&id) {
            return *condition;
        }
        if let Some(Value::Bool(value)) = self.constants.of(id) {
            return Conds::constant(*value);
        }
        match self.meaning(id) {
            Some(Meaning::Mode(mode)) => {
                let mode = *mode;
                self.out.conds.mode(mode)
            }
            Some(Meaning::Derived(condition)) => *condition,
            _ => {
                // Only reached for members of a loop of definitions, which was reported.
                let variable = &self.flat.variables[id];
                let (name, origin) = (variable.name.clone(), variable.origin.clone());
                let mode = self.new_mode(ModeDef::Input, name, &origin);
                self.set_meaning(id, Meaning::Mode(mode));
                self.out.conds.mode(mode)
            }
        }
    }

    fn logical_call(&mut self, call: &Call<FlatRef>, exp: &FlatExp) -> CondId {
        let Callee::Builtin(name) = &call.function else {
            return self.opaque_truth(exp);
        };
        match (name.as_str(), &call.args[..]) {
            ("noEvent", [inner]) | ("smooth", [_, inner]) => self.cond(inner),
            // Analysis is about running models: initialisation is another matter.
            ("initial" | "terminal", []) => Conds::FALSE,
            ("pre", [inner]) => self.left_of(inner),
            ("edge", [inner]) => {
                let now = self.cond(inner);
                let before = self.left_of(inner);
                let before = self.out.conds.not(before);
                self.out.conds.and([now, before])
            }
            ("change", [inner]) => self.change(inner),
            ("sample", _) => {
                let args = self.arguments(&call.args);
                let call = Expr::call("sample", args);
                self.opaque_mode(call.clone(), ModeDef::Pulse(call))
            }
            _ => self.opaque_truth(exp),
        }
    }

    fn change(&mut self, inner: &FlatExp) -> CondId {
        if self.sort_of(inner) == Sort::Boolean {
            let now = self.cond(inner);
            let before = self.left_of(inner);
            let same = self.out.conds.equal(now, before);
            return self.out.conds.not(same);
        }
        let before = Exp::Call(Box::new(Call {
            function: Callee::Builtin("pre".into()),
            args: vec![inner.clone()],
            ty: Type::Unknown,
        }));
        self.relation(RelOp::NotEqual, inner, &before)
    }

    /// `pre(b)`.
    pub(super) fn left_of(&mut self, inner: &FlatExp) -> CondId {
        let Some(id) = super::as_variable(inner) else {
            return self.no_condition("`pre` of an expression");
        };
        if let Some(Value::Bool(value)) = self.constants.of(id) {
            return Conds::constant(*value);
        }
        match self.left_mode(id, 1) {
            Some(mode) => self.out.conds.mode(mode),
            None => Conds::FALSE,
        }
    }

    /// The mode variable for `pre(b)`, or `pre(n) == value`.
    fn left_mode(&mut self, id: flat::VarId, value: i64) -> Option<ModeId> {
        if let Some(&mode) = self.atoms.left.get(&(id, value)) {
            return Some(mode);
        }
        if self.frozen {
            self.missing = true;
            return None;
        }
        let variable = &self.flat.variables[id];
        let name: Arc<str> = match variable.ty {
            Type::Boolean => format!("pre({})", variable.name).into(),
            _ => format!("pre({}) == {}", variable.name, self.literal(id, value)).into(),
        };
        let origin = self.origin.clone();
        // Which condition it is the left limit of is filled in at the end.
        let mode = self.new_mode(ModeDef::Left(Conds::FALSE), name, &origin);
        self.atoms.left.insert((id, value), mode);
        Some(mode)
    }

    /// How a value of an integer or enumeration is written.
    pub(super) fn literal(&self, id: flat::VarId, value: i64) -> String {
        if let Type::Enumeration(ty) = &self.flat.variables[id].ty
            && let Some(literal) = usize::try_from(value - 1)
                .ok()
                .and_then(|i| ty.literals.get(i))
        {
            let class = ty.path.rsplit('.').next().unwrap_or(&ty.path);
            return format!("{class}.{literal}");
        }
        value.to_string()
    }

    fn relation(&mut self, op: RelOp, lhs: &FlatExp, rhs: &FlatExp) -> CondId {
        match self.sort_of(lhs) {
            Sort::Boolean => {
                let (a, b) = (self.cond(lhs), self.cond(rhs));
                let equal = self.out.conds.equal(a, b);
                // `false < true` (section 3.5 of the specification).
                let mut below = |a: CondId, b: CondId| {
                    let a = self.out.conds.not(a);
                    self.out.conds.and([a, b])
                };
                match op {
                    RelOp::Equal => equal,
                    RelOp::NotEqual => self.out.conds.not(equal),
                    RelOp::Less => below(a, b),
                    RelOp::Greater => below(b, a),
                    RelOp::LessEqual => {
                        let above = below(b, a);
                        self.out.conds.not(above)
                    }
                    RelOp::GreaterEqual => {
                        let under = below(a, b);
                        self.out.conds.not(under)
                    }
                }
            }
            Sort::Text => self.compared_texts(op, lhs, rhs),
            Sort::Number => {
                if let (Some(a), Some(b)) = (self.choices(lhs), self.choices(rhs))
                    && a.len().saturating_mul(b.len()) <= 4096
                {
                    return self.compare_choices(op, &a, &b);
                }
                let (lhs, rhs) = (self.number(lhs), self.number(rhs));
                self.case_by_case(op, &lhs, &rhs, MAX_CHOICES)
            }
        }
    }

    /// The condition `lhs op rhs`, where values that were assigned before may be if-expressions. Their cases are
    /// compared one by one, so that the condition follows the one that chooses among them without delay.
    fn case_by_case(&mut self, op: RelOp, lhs: &Expr, rhs: &Expr, depth: u32) -> CondId {
        match (lhs.kind(), rhs.kind()) {
            _ if self.env.is_empty() || depth == 0 => self.predicate(op, lhs, rhs),
            (Kind::If(condition, then, otherwise), _) => {
                let then = self.case_by_case(op, then, rhs, depth - 1);
                let otherwise = self.case_by_case(op, otherwise, rhs, depth - 1);
                self.out.conds.ite(*condition, then, otherwise)
            }
            (_, Kind::If(condition, then, otherwise)) => {
                let then = self.case_by_case(op, lhs, then, depth - 1);
                let otherwise = self.case_by_case(op, lhs, otherwise, depth - 1);
                self.out.conds.ite(*condition, then, otherwise)
            }
            _ => self.predicate(op, lhs, rhs),
        }
    }

    fn compare_choices(&mut self, op: RelOp, a: &[(i64, CondId)], b: &[(i64, CondId)]) -> CondId {
        let mut cases = Vec::new();
        for &(x, when_x) in a {
            for &(y, when_y) in b {
                let holds = match op {
                    RelOp::Less => x < y,
                    RelOp::LessEqual => x <= y,
                    RelOp::Greater => x > y,
                    RelOp::GreaterEqual => x >= y,
                    RelOp::Equal => x == y,
                    RelOp::NotEqual => x != y,
                };
                if holds {
                    cases.push(self.out.conds.and([when_x, when_y]));
                }
            }
        }
        self.out.conds.or(cases)
    }

    /// An integer or enumeration expression as a list of values with their conditions; `None` when it
    /// is not one of finitely many.
    pub(super) fn choices(&mut self, exp: &FlatExp) -> Option<Vec<(i64, CondId)>> {
        if let Some(value @ (Value::Int(_) | Value::Enum(_))) = self.constants.evaluate(exp) {
            return Some(vec![(value.integer()?, Conds::TRUE)]);
        }
        match exp {
            Exp::Ref(FlatRef::Var(id)) => {
                if let Some(Bound::Choice(values)) = self.env.get(id) {
                    return Some(values.clone());
                }
                let family = self.family(*id)?;
                let values = &self.out.families[family].values;
                Some(values.iter().map(|c| (c.value, c.condition)).collect())
            }
            Exp::Call(call) if is_builtin(&call.function, "pre") => {
                let id = super::as_variable(call.args.first()?)?;
                self.choices_before(id)
            }
            Exp::If(branch) => {
                let condition = self.cond(&branch.condition);
                let then = self.choices(&branch.then)?;
                let otherwise = self.choices(&branch.else_)?;
                Some(self.merge_choices(condition, &then, &otherwise))
            }
            Exp::Cast(_, inner) => self.choices(inner),
            _ => None,
        }
    }

    /// The values that the left limit of an integer or enumeration may have, with conditions.
    pub(super) fn choices_before(&mut self, id: flat::VarId) -> Option<Vec<(i64, CondId)>> {
        let values = self.possible_values(id)?;
        values
            .into_iter()
            .map(|value| {
                let mode = self.left_mode(id, value)?;
                Some((value, self.out.conds.mode(mode)))
            })
            .collect()
    }

    /// `if condition then a else b` on lists of values.
    pub(super) fn merge_choices(
        &mut self,
        condition: CondId,
        a: &[(i64, CondId)],
        b: &[(i64, CondId)],
    ) -> Vec<(i64, CondId)> {
        let negated = self.out.conds.not(condition);
        let mut merged = std::collections::BTreeMap::<i64, Vec<CondId>>::new();
        for (list, guard) in [(a, condition), (b, negated)] {
            for &(value, when) in list {
                let when = self.out.conds.and([guard, when]);
                merged.entry(value).or_default().push(when);
            }
        }
        merged
            .into_iter()
            .map(|(value, cases)| (value, self.out.conds.or(cases)))
            .collect()
    }

    fn sort_of(&self, exp: &FlatExp) -> Sort {
        match exp {
            Exp::Bool(_) | Exp::Unary(UnaryOp::Not, _) => Sort::Boolean,
            Exp::Str(_) => Sort::Text,
            Exp::Ref(FlatRef::Var(id)) => sort_of_type(&self.flat.variables[*id].ty),
            Exp::Binary(op, _) if relation(*op).is_some() => Sort::Boolean,
            Exp::Binary(BinaryOp::And | BinaryOp::Or, _) => Sort::Boolean,
            Exp::Call(call) if is_builtin(&call.function, "pre") => call
                .args
                .first()
                .map_or(Sort::Number, |inner| self.sort_of(inner)),
            Exp::Call(call) => sort_of_type(&call.ty),
            Exp::If(branch) => sort_of_type(&branch.ty),
            Exp::Cast(_, inner) => self.sort_of(inner),
            _ => Sort::Number,
        }
    }

    /// The condition `lhs op rhs` on numbers: a mode variable, shared with equal and opposite ones.
    pub(super) fn predicate(&mut self, op: RelOp, lhs: &Expr, rhs: &Expr) -> CondId {
        if self.frozen && self.compares_others(lhs, rhs) {
            self.missing = true;
            return Conds::FALSE;
        }
        let (threshold, negated) = match canonical(op, lhs, rhs) {
            Canonical::Constant(value) => return Conds::constant(value),
            Canonical::Threshold { threshold, negated } => (threshold, negated),
        };
        if let Some(&(mode, sign)) = self.atoms.thresholds.get(&threshold) {
            let condition = self.out.conds.mode(mode);
            return if sign == negated {
                condition
            } else {
                self.out.conds.not(condition)
            };
        }
        if self.frozen {
            self.missing = true;
            return Conds::FALSE;
        }
        for side in [lhs, rhs] {
            let compared = variables(side).into_iter().map(|it| it.var);
            self.atoms.compared.extend(compared);
        }
        let name = format!("{} {} {}", self.text(lhs), op.symbol(), self.text(rhs));
        let predicate = Predicate {
            op,
            lhs: lhs.clone(),
            rhs: rhs.clone(),
        };
        let origin = self.origin.clone();
        let mode = self.new_mode(ModeDef::Predicate(predicate), name.into(), &origin);
        self.atoms
            .thresholds
            .insert(threshold.clone(), (mode, negated));
        self.atoms.order.push(threshold);
        self.out.conds.mode(mode)
    }

    /// Whether a comparison is none of those made so far, because a variable stands in it once that none of them has. In
    /// algorithms, where values are shared, nothing is said.
    fn compares_others(&self, lhs: &Expr, rhs: &Expr) -> bool {
        if !self.env.is_empty() {
            return false;
        }
        let mut others: SmallVec<[SymVar; 8]> = SmallVec::new();
        for side in [lhs, rhs] {
            for_each_node(side, &mut |node| {
                if let Kind::Var(occurrence) = node.kind()
                    && !self.atoms.compared.contains(&occurrence.var)
                {
                    others.push(occurrence.var);
                }
                true
            });
        }
        let once = |x: &SymVar| others.iter().filter(|it| *it == x).count() == 1;
        others.iter().any(once)
    }

    pub(super) fn text(&self, expr: &Expr) -> String {
        print(expr, &Text(&self.out), Style::Modelica)
    }

    fn opaque_truth(&mut self, exp: &FlatExp) -> CondId {
        let value = self.number(exp);
        self.opaque_mode(value.clone(), ModeDef::Opaque(value))
    }

    /// Strings change at events, and nothing here looks into them: whether two are equal is a mode variable.
    fn compared_texts(&mut self, op: RelOp, lhs: &FlatExp, rhs: &FlatExp) -> CondId {
        let side = |exp: &FlatExp| match exp {
            Exp::Ref(FlatRef::Var(id)) => Some(self.flat.variables[*id].name.to_string()),
            Exp::Str(text) => Some(format!("{text:?}")),
            Exp::Call(call) => match (&call.function, &call.args[..]) {
                (Callee::Builtin(name), [Exp::Ref(FlatRef::Var(id))]) if *name == "pre" => {
                    Some(format!("pre({})", self.flat.variables[*id].name))
                }
                _ => None,
            },
            _ => None,
        };
        let (Some(a), Some(b)) = (side(lhs), side(rhs)) else {
            return self.no_condition("a comparison of strings that are computed");
        };
        let (symbol, negated) = match op {
            RelOp::NotEqual => (RelOp::Equal.symbol(), true),
            op => (op.symbol(), false),
        };
        let name = format!("{a} {symbol} {b}");
        let value = Expr::call(&name, Vec::new());
        let equal = self.named_mode(value.clone(), ModeDef::Opaque(value), name);
        match negated {
            true => self.out.conds.not(equal),
            false => equal,
        }
    }

    /// A mode variable that is true when `value` is, whatever that means.
    pub(super) fn opaque_mode(&mut self, value: Expr, def: ModeDef) -> CondId {
        let name = self.text(&value);
        self.named_mode(value, def, name)
    }

    fn named_mode(&mut self, value: Expr, def: ModeDef, name: String) -> CondId {
        if let Some(&mode) = self.atoms.opaque.get(&value) {
            return self.out.conds.mode(mode);
        }
        if self.frozen {
            self.missing = true;
            return Conds::FALSE;
        }
        let origin = self.origin.clone();
        let mode = self.new_mode(def, name.into(), &origin);
        self.atoms.opaque.insert(value, mode);
        self.out.conds.mode(mode)
    }
}

const fn sort_of_type(ty: &Type) -> Sort {
    match ty {
        Type::Boolean => Sort::Boolean,
        Type::String => Sort::Text,
        _ => Sort::Number,
    }
}

/// The relation an operator stands for.
pub(super) const fn relation(op: BinaryOp) -> Option<RelOp> {
    Some(match op {
        BinaryOp::Less => RelOp::Less,
        BinaryOp::LessEq => RelOp::LessEqual,
        BinaryOp::Greater => RelOp::Greater,
        BinaryOp::GreaterEq => RelOp::GreaterEqual,
        BinaryOp::Equal => RelOp::Equal,
        BinaryOp::NotEqual => RelOp::NotEqual,
        _ => return None,
    })
}
