//! Base Modelica (MCP-0031): one package with functions, records, enumerations and the model; arrays and
//! records stay together, every name of the model is quoted.
//!
//! Wants a model flattened with [`crate::Options::keep_arrays`], which notes the declarations.

use super::expression::Dialect;
use super::modelica::FlatPrinter;
use crate::lower::element_of;
use crate::model::{Attribute, Declaration, FlatExp, FlatModel, FunctionBody, Variable};
use crate::walk::{equation_exps, walk};
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{EnumType, RecordType, Type, Variability};
use std::fmt::{self, Write};
use std::sync::Arc;

/// Writes the whole model. Linear in its size.
pub fn write_base(model: &FlatModel, out: &mut dyn Write) -> fmt::Result {
    let mut printer = BasePrinter {
        flat: FlatPrinter::with_dialect(model, out, Dialect::Base),
        model,
    };
    printer.package()
}

/// The model as one text.
pub fn base_text(model: &FlatModel) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_base(model, &mut text);
    text
}

struct BasePrinter<'a> {
    flat: FlatPrinter<'a>,
    model: &'a FlatModel,
}

/// Structured types that the package must define.
#[derive(Default)]
struct Types {
    records: FxIndexMap<String, Arc<RecordType>>,
    enumerations: FxIndexMap<String, Arc<EnumType>>,
}

impl Types {
    fn add(&mut self, ty: &Type) {
        match element_of(ty) {
            Type::Record(record) => {
                if self.records.contains_key(&*record.path) {
                    return;
                }
                for (_, field) in &record.fields {
                    self.add(field);
                }
                self.records.insert(record.path.to_string(), record.clone());
            }
            Type::Enumeration(ty) => {
                self.enumerations
                    .entry(ty.path.to_string())
                    .or_insert_with(|| ty.clone());
            }
            _ => {}
        }
    }
}

impl BasePrinter<'_> {
    fn package(&mut self) -> fmt::Result {
        let name = self.model.name.clone();
        self.flat.exp.out.write_str("//! base 0.1.0\npackage ")?;
        self.flat.exp.path(&name)?;
        self.flat.exp.out.write_char('\n')?;
        self.flat.exp.indent = 4;
        self.functions()?;
        self.types()?;
        self.class()?;
        self.flat.exp.out.write_str("end ")?;
        self.flat.exp.path(&name)?;
        self.flat.exp.out.write_str(";\n")
    }

    fn functions(&mut self) -> fmt::Result {
        let model = self.model;
        if uses_positive_max(model) {
            self.flat.exp.out.write_str(POSITIVE_MAX)?;
        }
        for function in &model.functions {
            if matches!(
                function.body,
                FunctionBody::RecordConstructor | FunctionBody::Partial
            ) {
                continue;
            }
            self.flat.exp.out.write_str("  ")?;
            self.flat.function(function)?;
            self.flat.exp.out.write_char('\n')?;
        }
        Ok(())
    }

    fn types(&mut self) -> fmt::Result {
        let mut types = Types::default();
        for declaration in &self.model.declarations {
            types.add(&declaration.ty);
            declaration
                .dims
                .iter()
                .for_each(|dim| add_dim(&mut types, dim));
        }
        for function in &self.model.functions {
            function
                .locals
                .iter()
                .for_each(|local| types.add(&local.ty));
        }
        for record in types.records.values() {
            self.record(record)?;
        }
        for ty in types.enumerations.values() {
            self.enumeration(ty)?;
        }
        Ok(())
    }

    fn record(&mut self, record: &RecordType) -> fmt::Result {
        self.flat.exp.out.write_str("  record ")?;
        self.flat.exp.path(&record.path)?;
        self.flat.exp.out.write_char('\n')?;
        for (name, ty) in &record.fields {
            self.flat.exp.out.write_str("    ")?;
            self.flat.exp.type_(element_of(ty))?;
            self.flat.exp.out.write_char(' ')?;
            self.flat.exp.name(name.as_str())?;
            if let Type::Array(array) = ty {
                self.flat.exp.dims(&array.dims)?;
            }
            self.flat.exp.out.write_str(";\n")?;
        }
        self.flat.exp.out.write_str("  end ")?;
        self.flat.exp.path(&record.path)?;
        self.flat.exp.out.write_str(";\n\n")
    }

    fn enumeration(&mut self, ty: &EnumType) -> fmt::Result {
        self.flat.exp.out.write_str("  type ")?;
        self.flat.exp.path(&ty.path)?;
        self.flat.exp.out.write_str(" = enumeration(")?;
        for (i, literal) in ty.literals.iter().enumerate() {
            if i > 0 {
                self.flat.exp.out.write_str(", ")?;
            }
            self.flat.exp.name(literal.as_str())?;
        }
        self.flat.exp.out.write_str(");\n\n")
    }

    fn class(&mut self) -> fmt::Result {
        let model = self.model;
        self.flat.exp.out.write_str("  model ")?;
        self.flat.exp.path(&model.name)?;
        self.flat.exp.comment(model.comment.as_deref())?;
        self.flat.exp.out.write_char('\n')?;
        for declaration in &model.declarations {
            self.declaration(declaration)?;
        }
        self.flat
            .equations("initial equation", &model.initial_equations)?;
        self.flat
            .algorithms("initial algorithm", &model.initial_algorithms)?;
        self.flat.equations("equation", &model.equations)?;
        self.flat.algorithms("algorithm", &model.algorithms)?;
        self.flat.exp.out.write_str("  end ")?;
        self.flat.exp.path(&model.name)?;
        self.flat.exp.out.write_str(";\n")
    }

    fn declaration(&mut self, declaration: &Declaration) -> fmt::Result {
        let model = self.model;
        let from = declaration.first.index();
        let to = from + declaration.count as usize;
        let Some(scalars) = model.variables.as_slice().get(from..to) else {
            return Ok(());
        };
        let Some(first) = scalars.first() else {
            return Ok(());
        };
        self.flat.start_line()?;
        let ty = element_of(&declaration.ty);
        let variability = match ty {
            // A record is a parameter if all its fields are.
            Type::Record(_) => scalars
                .iter()
                .map(|v| v.variability)
                .max()
                .unwrap_or(first.variability),
            _ => first.variability,
        };
        let variability = match plain(variability) {
            Variability::Discrete if !first.discrete => Variability::Continuous,
            other => other,
        };
        self.flat.prefixes(variability, first.causality)?;
        self.flat.exp.type_(ty)?;
        self.flat.exp.out.write_char(' ')?;
        let stem = first.name.get(..first.stem as usize).unwrap_or(&first.name);
        self.flat.exp.name(stem)?;
        if !declaration.dims.is_empty() {
            self.flat.exp.dims(&declaration.dims)?;
        }
        match ty {
            Type::Record(record) => self.record_value(record, declaration, scalars)?,
            _ => {
                self.attributes(scalars, declaration)?;
                self.array_binding(scalars, declaration)?;
            }
        }
        self.flat.end_declaration(declaration.comment.as_deref())
    }

    /// `(each start = 1.0, unit = …)`: one value for all elements, or an array of them.
    fn attributes(&mut self, scalars: &[Variable], declaration: &Declaration) -> fmt::Result {
        let [first, rest @ ..] = scalars else {
            return Ok(());
        };
        if declaration.dims.is_empty() {
            return self.flat.attributes(&first.attributes);
        }
        for (i, attribute) in first.attributes.iter().rev().enumerate() {
            self.flat
                .exp
                .out
                .write_str(if i == 0 { "(" } else { ", " })?;
            let same = rest
                .iter()
                .all(|other| value_of(other, attribute) == Some(&attribute.value));
            if same {
                write!(self.flat.exp.out, "each {} = ", attribute.name)?;
                self.flat.exp.exp(&attribute.value)?;
            } else {
                write!(self.flat.exp.out, "{} = ", attribute.name)?;
                let values = scalars
                    .iter()
                    .map(|scalar| {
                        value_of(scalar, attribute)
                            .unwrap_or(&attribute.value)
                            .clone()
                    })
                    .collect();
                self.nested(values, declaration)?;
            }
        }
        if first.attributes.is_empty() {
            Ok(())
        } else {
            self.flat.exp.out.write_char(')')
        }
    }

    fn nested(&mut self, values: Vec<FlatExp>, declaration: &Declaration) -> fmt::Result {
        let shape: Vec<usize> = declaration
            .dims
            .iter()
            .map(|dim| crate::layout::extent(dim).unwrap_or(0))
            .collect();
        let array = crate::lower::nest(values, &shape, element_of(&declaration.ty));
        self.flat.exp.exp(&array)
    }

    fn array_binding(&mut self, scalars: &[Variable], declaration: &Declaration) -> fmt::Result {
        let values: Option<Vec<FlatExp>> = scalars
            .iter()
            .map(|scalar| scalar.binding.clone())
            .collect();
        let Some(values) = values else { return Ok(()) };
        self.flat.exp.out.write_str(" = ")?;
        self.nested(values, declaration)
    }

    /// A constructor call where every field has a value and nothing else is said; modifiers otherwise.
    fn record_value(
        &mut self,
        record: &Arc<RecordType>,
        declaration: &Declaration,
        scalars: &[Variable],
    ) -> fmt::Result {
        let bound = scalars.iter().all(|scalar| scalar.binding.is_some());
        if bound && !scalars.is_empty() {
            let size = scalars.len() / elements(declaration).max(1);
            let values = scalars
                .chunks(size.max(1))
                .map(|fields| constructor(record, &mut fields.iter()))
                .collect();
            self.flat.exp.out.write_str(" = ")?;
            return self.nested(values, declaration);
        }
        if !declaration.dims.is_empty() {
            return Ok(());
        }
        let mut fields = scalars.iter();
        let mut said = 0;
        self.record_modifiers(record, &mut fields, &mut said)?;
        if said > 0 {
            self.flat.exp.out.write_char(')')
        } else {
            Ok(())
        }
    }

    fn record_modifiers(
        &mut self,
        record: &RecordType,
        scalars: &mut std::slice::Iter<'_, Variable>,
        said: &mut usize,
    ) -> fmt::Result {
        for (name, ty) in &record.fields {
            let count: usize = crate::lower::dims_of(ty)
                .iter()
                .map(|dim| crate::layout::extent(dim).unwrap_or(0))
                .product();
            if let (Type::Record(inner), 0) = (ty, crate::lower::dims_of(ty).len()) {
                let mut nested = 0;
                let mark = if *said == 0 { "(" } else { ", " };
                let ahead = scalars.clone();
                if has_modifiers(inner, &mut ahead.clone()) {
                    self.flat.exp.out.write_str(mark)?;
                    self.flat.exp.name(name.as_str())?;
                    self.record_modifiers(inner, scalars, &mut nested)?;
                    self.flat.exp.out.write_char(')')?;
                    *said += 1;
                } else {
                    skip(inner, scalars);
                }
                continue;
            }
            for _ in 0..count {
                let Some(scalar) = scalars.next() else {
                    return Ok(());
                };
                if count > 1 || (scalar.attributes.is_empty() && scalar.binding.is_none()) {
                    continue;
                }
                self.flat
                    .exp
                    .out
                    .write_str(if *said == 0 { "(" } else { ", " })?;
                self.flat.exp.name(name.as_str())?;
                self.flat.attributes(&scalar.attributes)?;
                self.flat.binding(scalar.binding.as_ref())?;
                *said += 1;
            }
        }
        Ok(())
    }
}

/// Base Modelica tells no structural parameters from others.
const fn plain(variability: Variability) -> Variability {
    match variability {
        Variability::Structural => Variability::Parameter,
        other => other,
    }
}

fn value_of<'v>(variable: &'v Variable, attribute: &Attribute) -> Option<&'v FlatExp> {
    variable
        .attributes
        .iter()
        .find(|other| other.name == attribute.name)
        .map(|other| &other.value)
}

fn elements(declaration: &Declaration) -> usize {
    declaration
        .dims
        .iter()
        .map(|dim| crate::layout::extent(dim).unwrap_or(0))
        .product()
}

/// `'R'(a, 'S'(b, c))` of the bindings of consecutive scalars.
fn constructor(record: &Arc<RecordType>, scalars: &mut std::slice::Iter<'_, Variable>) -> FlatExp {
    let mut values = Vec::new();
    for (_, ty) in &record.fields {
        let shape: Vec<usize> = crate::lower::dims_of(ty)
            .iter()
            .map(|dim| crate::layout::extent(dim).unwrap_or(0))
            .collect();
        let count: usize = shape.iter().product();
        let elements: Vec<FlatExp> = (0..count)
            .map(|_| match element_of(ty) {
                Type::Record(inner) => constructor(inner, scalars),
                _ => scalars
                    .next()
                    .and_then(|scalar| scalar.binding.clone())
                    .unwrap_or(Exp::Error),
            })
            .collect();
        values.push(crate::lower::nest(elements, &shape, element_of(ty)));
    }
    Exp::Record(Type::Record(record.clone()), values)
}

fn scalars_of(record: &RecordType) -> usize {
    record
        .fields
        .iter()
        .map(|(_, ty)| {
            let count: usize = crate::lower::dims_of(ty)
                .iter()
                .map(|dim| crate::layout::extent(dim).unwrap_or(0))
                .product();
            match element_of(ty) {
                Type::Record(inner) => count * scalars_of(inner),
                _ => count,
            }
        })
        .sum()
}

fn skip(record: &RecordType, scalars: &mut std::slice::Iter<'_, Variable>) {
    for _ in 0..scalars_of(record) {
        scalars.next();
    }
}

fn has_modifiers(record: &RecordType, scalars: &mut std::slice::Iter<'_, Variable>) -> bool {
    scalars
        .take(scalars_of(record))
        .any(|scalar| scalar.binding.is_some() || !scalar.attributes.is_empty())
}

fn add_dim(types: &mut Types, dim: &modeshift_inst::ty::Dim) {
    if let modeshift_inst::ty::Dim::Enumeration(ty) = dim {
        types.add(&Type::Enumeration(ty.clone()));
    }
}

const POSITIVE_MAX: &str = "  function '$OMC$PositiveMax'
    input Real 'flowValue';
    input Real 'eps';
    output Real 'positiveMax';
  algorithm
    'positiveMax' := max('flowValue', 'eps');
  end '$OMC$PositiveMax';

";

/// Whether mixing formulas of streams need their helper function.
fn uses_positive_max(model: &FlatModel) -> bool {
    let mut names: FxHashSet<modeshift_base::Name> = FxHashSet::default();
    let mut look = |exp: &FlatExp| {
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part
                && let Callee::Builtin(name) = &call.function
            {
                names.insert(*name);
            }
        });
    };
    for equation in &model.equations {
        equation_exps(equation, &mut look);
    }
    model
        .variables
        .iter()
        .filter_map(|variable| variable.binding.as_ref())
        .for_each(look);
    names.iter().any(|name| *name == "$OMC$PositiveMax")
}
