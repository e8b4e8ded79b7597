//! One-dimensional tables of the standard library: their matrices, and the functions that look them up.
//!
//! A table is an external object, which analysis knows by its name only. Where friction or losses are read from a table, the sign
//! or the value of a coefficient depends on what is in it.

use super::Lower;
use crate::model::Table;
use crate::sym::Expr;
use modeshift_base::Name;
use modeshift_flat::model::{FlatExp, FlatRef, FunctionBody};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;

pub(super) const MAKE: &str = "ModelicaStandardTables_CombiTable1D_init";
pub(super) const LOOK_UP: &str = "ModelicaStandardTables_CombiTable1D_getValue";

impl Lower<'_> {
    pub(super) fn tables(&mut self) {
        let flat = self.flat;
        let mut makers: Vec<&str> = Vec::new();
        for function in &flat.functions {
            if let FunctionBody::External { name, .. } = &function.body {
                if name.starts_with(MAKE) {
                    makers.push(&function.name);
                } else if **name == *LOOK_UP {
                    self.out.lookups.insert(Name::new(&function.name));
                }
            }
        }
        if makers.is_empty() {
            return;
        }
        for variable in &flat.variables {
            let (Type::External(_), Some(Exp::Call(call))) = (&variable.ty, &variable.binding)
            else {
                continue;
            };
            let Callee::User(maker) = &call.function else {
                continue;
            };
            if !makers.contains(&&**maker) {
                continue;
            }
            if let Some(table) = self.table(&call.args) {
                self.out.tables.insert(Name::new(&variable.name), table);
            }
        }
    }

    /// Name, file, matrix, columns, smoothness, extrapolation: the arguments of the constructor.
    fn table(&mut self, args: &[FlatExp]) -> Option<Table> {
        let [
            Exp::Str(name),
            Exp::Str(file),
            matrix,
            columns,
            smoothness,
            extrapolation,
            ..,
        ] = args
        else {
            return None;
        };
        if &**name != "NoName" || &**file != "NoName" {
            return None;
        }
        let n_rows = self.n_rows(matrix)?;
        let entries = self.components(matrix);
        let width = entries.len().checked_div(n_rows)?;
        if width < 2 || width * n_rows != entries.len() {
            return None;
        }
        Some(Table {
            rows: entries.chunks(width).map(<[Expr]>::to_vec).collect(),
            columns: self.components(columns),
            smoothness: self.number(smoothness),
            extrapolation: self.number(extrapolation),
        })
    }

    fn n_rows(&self, matrix: &FlatExp) -> Option<usize> {
        match matrix {
            Exp::Array(items, _) => Some(items.len()),
            Exp::Ref(FlatRef::Group(group)) => match self.flat.groups[*group].ty.dims() {
                [first, _] => first.known().and_then(|n| usize::try_from(n).ok()),
                _ => None,
            },
            _ => None,
        }
    }
}
