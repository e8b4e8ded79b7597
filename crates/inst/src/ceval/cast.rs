//! Conversions of values.

use super::Value;
use crate::ty::Type;
use std::sync::Arc;

/// The value with Integers made Reals where the type says so.
pub(super) fn cast(value: Value, ty: &Type) -> Value {
    match (value, ty) {
        (Value::Int(value), Type::Real) => Value::Real(value as f64),
        (Value::Array(items, own), _) => {
            let element = ty.element();
            if own.element() == element {
                return Value::Array(items, own);
            }
            let inner = ty.strip(1);
            let items = items
                .iter()
                .map(|item| cast(item.clone(), &inner))
                .collect();
            Value::Array(Arc::new(items), own.with_element(element.clone()))
        }
        (Value::Record(own, fields), Type::Record(wanted))
            if wanted.fields.len() == own.fields.len() =>
        {
            let cast_fields = wanted
                .fields
                .iter()
                .enumerate()
                .map(|(index, (name, ty))| {
                    let at = own
                        .fields
                        .iter()
                        .position(|(field, _)| field == name)
                        .unwrap_or(index);
                    cast(fields[at].clone(), ty)
                })
                .collect();
            Value::Record(wanted.clone(), Arc::new(cast_fields))
        }
        (value, _) => value,
    }
}
