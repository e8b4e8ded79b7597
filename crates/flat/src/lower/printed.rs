//! What only the text of a flat model has, as OpenModelica writes it: short sums and constructors written out in functions, and
//! loops over fields of arrays of records in statements. What is analysed and run keeps its own form.

use super::shape::{element_of, rank, type_shape};
use super::{Cx, Scope};
use crate::model::FlatExp;
use crate::simplify;
use modeshift_base::Name;
use modeshift_inst::exp::{Call, Callee, Cref, Exp, Range, Reduction, Subscript};
use modeshift_inst::ty::{Dim, Type};

/// Longer arrays stay as they are written.
const SHORT: usize = 100;

impl Cx<'_> {
    /// `a[1] + a[2]` for `sum(a)` of a function's vector of known size, as OpenModelica's text has it. What is run keeps
    /// the loop.
    pub(super) fn sum_of_local(&mut self, call: &Call) -> Option<FlatExp> {
        let [Exp::Ref(cref)] = call.args.as_slice() else {
            return None;
        };
        if !self.is_printed_function() || rank(&call.args[0]) != 1 {
            return None;
        }
        let [part] = cref.parts.as_slice() else {
            return None;
        };
        let size = cref.ty.dims().first()?.known()?;
        if !part.subscripts.is_empty() || !(1..=SHORT as i64).contains(&size) || call.ty.is_record()
        {
            return None;
        }
        let terms: Vec<FlatExp> = (1..=size)
            .map(|k| {
                let mut element = cref.clone();
                element.parts[0].subscripts = vec![Subscript::Index(Exp::Int(k))];
                element.ty = element_of(&cref.ty).clone();
                self.reference(&element)
            })
            .collect();
        Some(simplify::sum(terms, Exp::Int(0)))
    }

    /// Inside a function whose text is asked for. What is run keeps its loops.
    pub(super) fn is_printed_function(&self) -> bool {
        !self.scalar && !self.keep_arrays && self.scope == Scope::Function
    }

    /// `{1, 1}` for `fill(1, 2)`, as long as it is short.
    pub(super) fn known_constructor(&mut self, name: &str, call: &Call) -> Option<FlatExp> {
        let shape = type_shape(&call.ty)?;
        if shape.iter().product::<usize>() > SHORT {
            return None;
        }
        let elements = super::array::indices(&shape)
            .map(|index| self.constructor_at(name, call, &index))
            .collect::<Option<Vec<FlatExp>>>()?;
        Some(super::nest(elements, &shape, element_of(&call.ty)))
    }

    /// `array(r[$i0].x for $i0 in 1:3)` for `r.x`, as OpenModelica's text has it in statements.
    pub(super) fn loops_over(&mut self, cref: &Cref) -> Option<FlatExp> {
        let mut single = cref.clone();
        let mut names = Vec::new();
        for part in single.parts.iter_mut().rev() {
            let dims = &self.instance.components.get(part.component)?.dims;
            if !part.subscripts.is_empty() {
                return None;
            }
            for dim in dims.iter().rev() {
                let name = Name::new(&format!("$i{}", self.invented as usize + names.len()));
                names.push((name, dim.known()?));
                part.subscripts
                    .insert(0, Subscript::Index(Exp::Iterator(name)));
            }
        }
        if names.len() != cref.ty.rank() {
            return None;
        }
        self.invented += names.len() as u32;
        single.ty = element_of(&cref.ty).clone();
        for &(name, _) in &names {
            self.iterators.push((name, Exp::Iterator(name)));
        }
        let mut body = self.reference(&single);
        self.iterators.truncate(self.iterators.len() - names.len());
        for (depth, &(name, size)) in names.iter().enumerate() {
            let range = Exp::Range(Box::new(Range {
                start: Exp::Int(1),
                step: None,
                stop: Exp::Int(size),
                ty: Type::array(Type::Integer, vec![Dim::Known(size)]),
            }));
            body = Exp::Reduction(Box::new(Reduction {
                function: Callee::Builtin(Name::new("array")),
                body,
                iterators: vec![(name, range)],
                ty: cref.ty.strip(names.len() - 1 - depth),
            }));
        }
        Some(body)
    }
}
