//! Flat models from text, for the tests of this crate: one class, scalar variables, no connections.
//! What the real front end does beyond that is not needed to test the analyses.

use crate::model::MDae;
use crate::{Lowered, lower};
use modeshift_base::{FileId, FileSpan, FxHashMap, Name, Span};
use modeshift_flat::model::{
    Algorithm, Attribute, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, OriginKind,
    Statement, StatementKind, VarId, Variable,
};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, IfExp, UnaryOp};
use modeshift_inst::ty::{Causality, EnumType, Type, Variability};
use modeshift_syntax::ast::{self, ClassSpec, ElementKind, ExprKind, SectionKind};
use std::sync::Arc;

/// Lowers the last class of `text`; panics on syntax errors.
pub(crate) fn lowered(text: &str) -> Lowered {
    lower(&flat(text))
}

/// Like [`lowered`], and nothing may be reported.
pub(crate) fn mdae(text: &str) -> MDae {
    let lowered = lowered(text);
    assert!(lowered.diagnostics.is_empty(), "{:#?}", lowered.diagnostics);
    lowered.mdae
}

pub(crate) fn flat(text: &str) -> FlatModel {
    let parse = modeshift_syntax::parse(text);
    assert!(parse.errors.is_empty(), "{:#?}", parse.errors);
    let class = parse.file.classes.last().expect("a class");
    let ClassSpec::Long(body) = &class.spec else {
        panic!("a class with a body");
    };
    let mut builder = Builder {
        model: FlatModel {
            name: class.name.name.as_str().into(),
            ..FlatModel::default()
        },
        ids: FxHashMap::default(),
        enums: FxHashMap::default(),
    };
    for element in &body.elements {
        match &element.kind {
            ElementKind::Class(class) => builder.enumeration(class),
            ElementKind::Components(clause) => builder.declare(clause),
            _ => panic!("only enumerations and components"),
        }
    }
    for section in &body.sections {
        match &section.kind {
            SectionKind::Equations(equations) => {
                let equations = builder.equations(equations);
                if section.initial {
                    builder.model.initial_equations.extend(equations);
                } else {
                    builder.model.equations.extend(equations);
                }
            }
            SectionKind::Algorithm(statements) => {
                let statements = builder.statements(statements);
                let origin = origin(section.span, OriginKind::Algorithm);
                builder
                    .model
                    .algorithms
                    .push(Algorithm { statements, origin });
            }
        }
    }
    builder.model
}

fn origin(span: Span, kind: OriginKind) -> Arc<Origin> {
    let span = FileSpan {
        file: FileId(0),
        span,
    };
    Arc::new(Origin {
        span,
        also: Vec::new(),
        comment: None,
        instance: Arc::from(""),
        kind,
    })
}

struct Builder {
    model: FlatModel,
    ids: FxHashMap<Name, VarId>,
    enums: FxHashMap<Name, Arc<EnumType>>,
}

impl Builder {
    fn enumeration(&mut self, class: &ast::ClassDef) {
        let ClassSpec::Enumeration {
            literals: Some(literals),
        } = &class.spec
        else {
            panic!("only enumerations inside the class");
        };
        let ty = EnumType {
            path: class.name.name.as_str().into(),
            literals: literals.iter().map(|literal| literal.name.name).collect(),
        };
        self.enums.insert(class.name.name, Arc::new(ty));
    }

    fn declare(&mut self, clause: &ast::ComponentClause) {
        let type_name = clause.type_name.parts[0].name;
        let ty = match type_name.as_str() {
            "Real" => Type::Real,
            "Integer" => Type::Integer,
            "Boolean" => Type::Boolean,
            _ => Type::Enumeration(self.enums[&type_name].clone()),
        };
        let variability = match clause.type_prefix.variability {
            Some(ast::VariabilityPrefix::Constant) => Variability::Constant,
            Some(ast::VariabilityPrefix::Parameter) => Variability::Parameter,
            Some(ast::VariabilityPrefix::Discrete) => Variability::Discrete,
            None if ty == Type::Real => Variability::Continuous,
            None => Variability::Discrete,
        };
        for declaration in &clause.declarations {
            let modification = declaration.modification.as_deref();
            let attributes = modification.map_or_else(Vec::new, |m| self.attributes(m));
            let binding = match modification.and_then(|m| m.binding.as_ref()) {
                Some(ast::Binding::Expr(exp)) => Some(self.exp(exp)),
                _ => None,
            };
            let name: Arc<str> = declaration.name.name.as_str().into();
            let id = self.model.variables.push(Variable {
                stem: name.len() as u32,
                name,
                ty: ty.clone(),
                variability,
                discrete: false,
                causality: match clause.type_prefix.causality {
                    Some(ast::Causality::Input) => Some(Causality::Input),
                    Some(ast::Causality::Output) => Some(Causality::Output),
                    None => None,
                },
                flow: false,
                protected: false,
                final_: false,
                attributes,
                binding,
                comment: None,
                origin: origin(declaration.span, OriginKind::Declaration),
            });
            self.ids.insert(declaration.name.name, id);
        }
    }

    fn attributes(&mut self, modification: &ast::Modification) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        for argument in &modification.args {
            if let ast::ArgumentKind::Modify {
                target,
                modification: Some(inner),
                ..
            } = &argument.kind
                && let Some(ast::Binding::Expr(value)) = &inner.binding
            {
                attributes.push(Attribute {
                    name: target[0].name,
                    value: self.exp(value),
                    final_: false,
                });
            }
        }
        attributes
    }

    fn equations(&self, equations: &[ast::Equation]) -> Vec<Equation> {
        equations
            .iter()
            .map(|equation| self.equation(equation))
            .collect()
    }

    fn equation(&self, equation: &ast::Equation) -> Equation {
        let branches = |branches: &[ast::Branch<ast::Equation>]| {
            branches
                .iter()
                .map(|branch| (self.exp(&branch.condition), self.equations(&branch.body)))
                .collect()
        };
        let kind = match &equation.kind {
            ast::EquationKind::Equality { lhs, rhs } => {
                let (lhs, rhs) = (self.exp(lhs), self.exp(rhs));
                let ty = match self.type_of(&lhs) {
                    Type::Integer => self.type_of(&rhs),
                    ty => ty,
                };
                EquationKind::Equality { lhs, rhs, ty }
            }
            ast::EquationKind::If {
                branches: list,
                else_,
            } => EquationKind::If {
                branches: branches(list),
                else_: else_
                    .as_ref()
                    .map_or_else(Vec::new, |body| self.equations(body)),
            },
            ast::EquationKind::When { branches: list } => EquationKind::When {
                branches: branches(list),
            },
            ast::EquationKind::Call { function, args } => {
                let mut args = args.positional.iter().map(|arg| self.exp(arg));
                let mut next = || args.next().unwrap_or(Exp::Bool(true));
                match function.parts[0].name.as_str() {
                    "assert" => EquationKind::Assert {
                        condition: next(),
                        message: next(),
                        level: next(),
                    },
                    "reinit" => EquationKind::Reinit {
                        variable: next(),
                        value: next(),
                    },
                    other => panic!("{other}"),
                }
            }
            other => panic!("{other:?}"),
        };
        Equation {
            kind,
            origin: origin(equation.span, OriginKind::Equation),
        }
    }

    fn statements(&self, statements: &[ast::Statement]) -> Vec<Statement> {
        statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect()
    }

    fn statement(&self, statement: &ast::Statement) -> Statement {
        let branches = |branches: &[ast::Branch<ast::Statement>]| {
            branches
                .iter()
                .map(|branch| (self.exp(&branch.condition), self.statements(&branch.body)))
                .collect()
        };
        let kind = match &statement.kind {
            ast::StatementKind::Assign { target, value } => {
                let target = self.reference(target);
                let ty = self.type_of(&target);
                StatementKind::Assign {
                    target,
                    value: self.exp(value),
                    ty,
                }
            }
            ast::StatementKind::If {
                branches: list,
                else_,
            } => StatementKind::If {
                branches: branches(list),
                else_: else_
                    .as_ref()
                    .map_or_else(Vec::new, |body| self.statements(body)),
            },
            ast::StatementKind::When { branches: list } => StatementKind::When {
                branches: branches(list),
            },
            ast::StatementKind::For { iterators, body } => StatementKind::For {
                iterator: iterators[0].name.name,
                range: iterators[0].range.as_ref().map(|range| self.exp(range)),
                body: self.statements(body),
            },
            ast::StatementKind::While { condition, body } => StatementKind::While {
                condition: self.exp(condition),
                body: self.statements(body),
            },
            other => panic!("{other:?}"),
        };
        Statement {
            kind,
            origin: origin(statement.span, OriginKind::Algorithm),
        }
    }

    fn reference(&self, reference: &ast::ComponentRef) -> FlatExp {
        let first = reference.parts[0].name;
        if first == "time" {
            return Exp::Time;
        }
        if let Some(ty) = self.enums.get(&first) {
            let literal = reference.parts[1].name;
            let index = ty
                .literals
                .iter()
                .position(|name| *name == literal)
                .expect("a literal");
            return Exp::Enum(ty.clone(), index as u32 + 1);
        }
        match self.ids.get(&first) {
            Some(id) => Exp::Ref(FlatRef::Var(*id)),
            None => Exp::Iterator(first),
        }
    }

    fn exp(&self, exp: &ast::Expr) -> FlatExp {
        match &exp.kind {
            ExprKind::Int(value) => Exp::Int(*value),
            ExprKind::Real(value) => Exp::Real(*value),
            ExprKind::Str(text) => Exp::Str(text.as_ref().into()),
            ExprKind::Bool(value) => Exp::Bool(*value),
            ExprKind::Ref(reference) => self.reference(reference),
            ExprKind::Paren(inner) => self.exp(inner),
            ExprKind::Call { function, args } => self.call(function, args),
            ExprKind::Unary { op, operand } => match op {
                ast::UnaryOp::Not => Exp::Unary(UnaryOp::Not, Box::new(self.exp(operand))),
                ast::UnaryOp::Plus | ast::UnaryOp::ElementPlus => self.exp(operand),
                _ => Exp::Unary(UnaryOp::Neg, Box::new(self.exp(operand))),
            },
            ExprKind::Binary { op, lhs, rhs } => {
                Exp::Binary(operator(*op), Box::new((self.exp(lhs), self.exp(rhs))))
            }
            ExprKind::If { branches, else_ } => {
                branches
                    .iter()
                    .rev()
                    .fold(self.exp(else_), |else_, (condition, then)| {
                        let then = self.exp(then);
                        let ty = self.type_of(&then);
                        Exp::If(Box::new(IfExp {
                            condition: self.exp(condition),
                            then,
                            else_,
                            ty,
                        }))
                    })
            }
            ExprKind::Array(items) => Exp::Array(
                items.iter().map(|item| self.exp(item)).collect(),
                Type::Unknown,
            ),
            ExprKind::Range { start, step, stop } => {
                Exp::Range(Box::new(modeshift_inst::exp::Range {
                    start: self.exp(start),
                    step: step.as_ref().map(|step| self.exp(step)),
                    stop: self.exp(stop),
                    ty: Type::Unknown,
                }))
            }
            other => panic!("{other:?}"),
        }
    }

    fn call(&self, function: &ast::ComponentRef, args: &ast::Args) -> FlatExp {
        let name = function.parts[0].name;
        let builtin = [
            "der", "pre", "edge", "change", "initial", "sample", "noEvent", "smooth", "sin", "cos",
            "abs", "min", "max", "sqrt", "exp", "sign", "integer", "sum", "delay",
        ];
        let args: Vec<FlatExp> = args.positional.iter().map(|arg| self.exp(arg)).collect();
        let is_builtin = builtin.contains(&name.as_str());
        let ty = match name.as_str() {
            "edge" | "change" | "initial" | "sample" => Type::Boolean,
            "pre" | "noEvent" => self.type_of(&args[0]),
            text if text.starts_with("is") => Type::Boolean,
            _ => Type::Real,
        };
        let function = if is_builtin {
            Callee::Builtin(name)
        } else {
            Callee::User(name.as_str().into())
        };
        Exp::Call(Box::new(Call { function, args, ty }))
    }

    fn type_of(&self, exp: &FlatExp) -> Type {
        match exp {
            Exp::Bool(_) | Exp::Unary(UnaryOp::Not, _) => Type::Boolean,
            Exp::Binary(op, _) if is_logical(*op) => Type::Boolean,
            Exp::Int(_) => Type::Integer,
            Exp::Enum(ty, _) => Type::Enumeration(ty.clone()),
            Exp::Ref(FlatRef::Var(id)) => self.model.variables[*id].ty.clone(),
            Exp::Call(call) => call.ty.clone(),
            Exp::If(branch) => branch.ty.clone(),
            _ => Type::Real,
        }
    }
}

fn operator(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Add | ast::BinaryOp::ElementAdd => BinaryOp::Add,
        ast::BinaryOp::Sub | ast::BinaryOp::ElementSub => BinaryOp::Sub,
        ast::BinaryOp::Mul | ast::BinaryOp::ElementMul => BinaryOp::Mul,
        ast::BinaryOp::Div | ast::BinaryOp::ElementDiv => BinaryOp::Div,
        ast::BinaryOp::Pow | ast::BinaryOp::ElementPow => BinaryOp::Pow,
        ast::BinaryOp::And => BinaryOp::And,
        ast::BinaryOp::Or => BinaryOp::Or,
        ast::BinaryOp::Less => BinaryOp::Less,
        ast::BinaryOp::LessEqual => BinaryOp::LessEq,
        ast::BinaryOp::Greater => BinaryOp::Greater,
        ast::BinaryOp::GreaterEqual => BinaryOp::GreaterEq,
        ast::BinaryOp::Equal => BinaryOp::Equal,
        ast::BinaryOp::NotEqual => BinaryOp::NotEqual,
    }
}

const fn is_logical(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::And | B::Or | B::Less | B::LessEq | B::Greater | B::GreaterEq | B::Equal | B::NotEqual
    )
}
