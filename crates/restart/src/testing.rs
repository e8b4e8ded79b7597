//! Hand-made systems for tests: equations as text, `x'` for derivatives, `x-` for left limits.

use crate::change::{Change, Law, ModeEquation, Role, Transient};
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{At, Expr, Kind, ParamId, Rational, VarId, VarRef};

/// Names of a hand-made system. Names in `params` are parameters, all others variables.
#[derive(Default)]
pub(crate) struct Text {
    pub vars: FxIndexMap<String, ()>,
    pub params: FxIndexMap<String, ()>,
    pub inputs: Vec<String>,
    pub held: Vec<String>,
}

impl Text {
    pub(crate) fn new(params: &str) -> Self {
        let params = params
            .split_whitespace()
            .map(|p| (p.to_owned(), ()))
            .collect();
        Self {
            params,
            ..Self::default()
        }
    }

    pub(crate) fn var(&self, name: &str) -> VarRef {
        let base = name.trim_end_matches('\'');
        let order = (name.len() - base.len()) as u32;
        VarRef::now(VarId(self.vars.get_index_of(base).unwrap() as u32), order)
    }

    pub(crate) fn name(&self, v: VarRef) -> String {
        let (name, ()) = self.vars.get_index(v.var.0 as usize).unwrap();
        format!("{name}{}", "'".repeat(v.order as usize))
    }

    pub(crate) fn names(&self, list: &[VarRef]) -> Vec<String> {
        list.iter().map(|v| self.name(*v)).collect()
    }

    /// `a = b` or an expression that is zero.
    pub(crate) fn equation(&mut self, text: &str) -> Expr {
        match text.split_once('=') {
            Some((left, right)) => {
                let left = self.expr(left);
                left.sub(&self.expr(right))
            }
            None => self.expr(text),
        }
    }

    pub(crate) fn expr(&mut self, text: &str) -> Expr {
        let mut parser = Parser {
            text: text.chars().collect(),
            at: 0,
            names: self,
        };
        let expr = parser.sum();
        assert_eq!(parser.at, parser.text.len(), "in {text}");
        expr
    }

    fn equations(&mut self, texts: &[&str], first: usize) -> Vec<ModeEquation> {
        let numbered = texts.iter().enumerate();
        numbered
            .map(|(i, text)| ModeEquation {
                source: first + i,
                residual: self.equation(text),
            })
            .collect()
    }

    /// A change with invariant equations and those of the mode before and after.
    pub(crate) fn change(&mut self, both: &[&str], before: &[&str], after: &[&str]) -> Change {
        let both = self.equations(both, 0);
        let mut old = both.clone();
        old.extend(self.equations(before, 100));
        let mut new = both;
        new.extend(self.equations(after, 200));
        Change {
            before: old,
            after: new,
            roles: self.roles(),
            ..Change::default()
        }
    }

    fn roles(&self) -> Vec<Role> {
        let role = |name: &String| {
            if self.inputs.contains(name) {
                Role::Known
            } else if self.held.contains(name) {
                Role::Held
            } else {
                Role::Unknown
            }
        };
        self.vars.keys().map(role).collect()
    }

    pub(crate) fn crossing(&mut self, change: &mut Change, text: &str) {
        let crossing = self.expr(text);
        change.crossings.push(crossing);
    }

    /// Adds a transient instant with its long equations and its laws; `x := e` is a `reinit`.
    pub(crate) fn transient(&mut self, change: &mut Change, instant: &[&str], laws: &[&str]) {
        let instant = self.equations(instant, 0);
        let laws = laws
            .iter()
            .enumerate()
            .map(|(i, text)| match text.split_once(":=") {
                Some((left, right)) => {
                    let target = self.expr(left);
                    let value = self.expr(right);
                    Law {
                        source: 300 + i,
                        residual: target.sub(&value),
                        reinit: target.as_var(),
                        target: None,
                    }
                }
                None => Law {
                    source: 300 + i,
                    residual: self.equation(text),
                    reinit: None,
                    target: None,
                },
            })
            .collect();
        let shared = change.after.iter().filter(|it| change.before.contains(it));
        let shared = shared.cloned().collect();
        change.transient = Some(Transient {
            instant,
            laws,
            shared,
        });
        change.roles = self.roles();
    }
}

struct Parser<'t> {
    text: Vec<char>,
    at: usize,
    names: &'t mut Text,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at) == Some(&' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, c: char) -> bool {
        let hit = self.peek() == Some(c);
        self.at += usize::from(hit);
        hit
    }

    fn sum(&mut self) -> Expr {
        let mut terms = vec![if self.eat('-') {
            self.product().neg()
        } else {
            self.product()
        }];
        loop {
            if self.eat('+') {
                terms.push(self.product());
            } else if self.eat('-') {
                terms.push(self.product().neg());
            } else {
                return Expr::sum(terms);
            }
        }
    }

    fn product(&mut self) -> Expr {
        let mut value = self.power();
        loop {
            if self.eat('*') {
                value = value.mul(&self.power());
            } else if self.eat('/') {
                value = value.div(&self.power());
            } else {
                return value;
            }
        }
    }

    fn power(&mut self) -> Expr {
        let base = self.atom();
        if self.eat('^') {
            let exponent = self.atom();
            return base.power(&exponent);
        }
        base
    }

    fn atom(&mut self) -> Expr {
        if self.eat('(') {
            let inner = self.sum();
            assert!(self.eat(')'));
            return inner;
        }
        if self.eat('-') {
            return self.atom().neg();
        }
        let start = self.at;
        let word = |c: &char| c.is_alphanumeric() || *c == '.' || *c == '_';
        while self.text.get(self.at).is_some_and(word) {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        if let Some(number) = Rational::parse_decimal(&name) {
            return Expr::constant(number);
        }
        if self.eat('(') {
            let arg = self.sum();
            assert!(self.eat(')'));
            return Expr::call(&name, [arg]);
        }
        if let Some(i) = self.names.params.get_index_of(&name) {
            return Expr::param(ParamId(i as u32));
        }
        let mut order = 0;
        while self.text.get(self.at) == Some(&'\'') {
            self.at += 1;
            order += 1;
        }
        // `x~` is the left limit.
        let at = if self.text.get(self.at) == Some(&'~') {
            self.at += 1;
            At::Left
        } else {
            At::Now
        };
        assert!(!name.is_empty(), "at {} of {:?}", self.at, self.text);
        let var = VarId(self.names.vars.insert_full(name, ()).0 as u32);
        Expr::new(Kind::Var(VarRef { var, order, at }))
    }
}
