//! Ranks and shapes of typed expressions in the current context.

use super::Cx;
use crate::layout::extent;
use modeshift_inst::exp::{BinaryOp, Callee, Cref, Exp, Subscript};
use modeshift_inst::ty::{Dim, Type};

pub fn dims_of(ty: &Type) -> &[Dim] {
    match ty {
        Type::Array(array) => &array.dims,
        _ => &[],
    }
}

pub fn element_of(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => &array.element,
        other => other,
    }
}

fn is_product(op: BinaryOp) -> bool {
    op == BinaryOp::MatMul
}

/// Number of dimensions. Linear in the depth of the expression.
pub fn rank(exp: &Exp) -> usize {
    match exp {
        Exp::Ref(cref) => dims_of(&cref.ty).len(),
        Exp::Array(_, ty) => dims_of(ty).len().max(1),
        Exp::Range(_) | Exp::TypeRange(_) => 1,
        Exp::Call(call) => dims_of(&call.ty).len(),
        Exp::Reduction(reduction) => dims_of(&reduction.ty).len(),
        Exp::Unary(_, operand) => rank(operand),
        Exp::Binary(op, operands) if is_product(*op) => {
            (rank(&operands.0) + rank(&operands.1)).saturating_sub(2)
        }
        Exp::Binary(BinaryOp::MatPow, operands) => rank(&operands.0),
        Exp::Binary(_, operands) => rank(&operands.0).max(rank(&operands.1)),
        Exp::If(branches) => dims_of(&branches.ty).len(),
        Exp::Cast(_, operand) => rank(operand),
        Exp::Subscripted(operand, subscripts) => {
            let taken = subscripts
                .iter()
                .filter(|subscript| matches!(subscript, Subscript::Index(_)))
                .count();
            rank(operand).saturating_sub(taken)
        }
        Exp::Size(_, None) => 1,
        Exp::TupleElement(call, index) => {
            tuple_type(call, *index).map_or(0, |ty| dims_of(ty).len())
        }
        Exp::Field(operand, name) => {
            let field = field_type(operand, name.as_str());
            rank(operand) + field.map_or(0, |ty| dims_of(&ty).len())
        }
        _ => 0,
    }
}

fn tuple_type(call: &Exp, index: u32) -> Option<&Type> {
    let Exp::Call(call) = call else { return None };
    match &call.ty {
        Type::Tuple(types) => types.get(index.checked_sub(1)? as usize),
        ty => Some(ty),
    }
}

fn field_type(exp: &Exp, name: &str) -> Option<Type> {
    let ty = type_of(exp);
    let Type::Record(record) = element_of(&ty) else {
        return None;
    };
    record
        .fields
        .iter()
        .find(|(field, _)| field.as_str() == name)
        .map(|(_, ty)| ty.clone())
}

/// The type as far as the expression says it by itself.
pub fn type_of(exp: &Exp) -> Type {
    match exp {
        Exp::Int(_) | Exp::Size(..) => Type::Integer,
        Exp::Real(_) | Exp::Time => Type::Real,
        Exp::Bool(_) => Type::Boolean,
        Exp::Str(_) => Type::String,
        Exp::Enum(ty, _) => Type::Enumeration(ty.clone()),
        Exp::Ref(cref) => cref.ty.clone(),
        Exp::Array(_, ty) | Exp::Record(ty, _) | Exp::Cast(ty, _) => ty.clone(),
        Exp::Range(range) => range.ty.clone(),
        Exp::Call(call) => call.ty.clone(),
        Exp::Reduction(reduction) => reduction.ty.clone(),
        Exp::Unary(_, operand) => type_of(operand),
        Exp::Binary(op, operands) => binary_type(*op, &operands.0, &operands.1),
        Exp::If(branches) => branches.ty.clone(),
        Exp::Subscripted(operand, _) => element_of(&type_of(operand)).clone(),
        Exp::TupleElement(call, index) => {
            tuple_type(call, *index).cloned().unwrap_or(Type::Unknown)
        }
        Exp::Field(operand, name) => field_type(operand, name.as_str()).unwrap_or(Type::Unknown),
        Exp::PartialFunction(_, _, ty) => ty.clone(),
        _ => Type::Unknown,
    }
}

fn binary_type(op: BinaryOp, lhs: &Exp, rhs: &Exp) -> Type {
    match op {
        BinaryOp::Less
        | BinaryOp::LessEq
        | BinaryOp::Greater
        | BinaryOp::GreaterEq
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => Type::Boolean,
        BinaryOp::Div | BinaryOp::DivElem | BinaryOp::Pow | BinaryOp::PowElem => Type::Real,
        _ => {
            let left = type_of(lhs);
            match element_of(&left) {
                Type::Integer => element_of(&type_of(rhs)).clone(),
                Type::Unknown => element_of(&type_of(rhs)).clone(),
                other => other.clone(),
            }
        }
    }
}

impl Cx<'_> {
    /// Extents of all dimensions; `None` where one is not known here.
    pub fn shape(&mut self, exp: &Exp) -> Option<Vec<usize>> {
        match exp {
            Exp::Ref(cref) => self.reference_shape(cref),
            Exp::Array(elements, ty) => match elements.first() {
                Some(first) if rank(exp) > 1 => {
                    let mut shape = vec![elements.len()];
                    shape.extend(self.shape(first)?);
                    Some(shape)
                }
                Some(_) => Some(vec![elements.len()]),
                None => type_shape(ty).or_else(|| Some(vec![0])),
            },
            Exp::Range(_) | Exp::TypeRange(_) => Some(vec![self.values(exp)?.len()]),
            Exp::Call(call) => self.call_shape(call),
            Exp::Reduction(reduction) => {
                if rank(exp) == 0 {
                    return Some(Vec::new());
                }
                let mut shape = Vec::new();
                for (_, range) in reduction.iterators.iter().rev() {
                    shape.push(self.values(range)?.len());
                }
                shape.extend(self.shape(&reduction.body)?);
                Some(shape)
            }
            Exp::Unary(_, operand) | Exp::Cast(_, operand) => self.shape(operand),
            Exp::Binary(op, operands) if is_product(*op) => {
                let (a, b) = (self.shape(&operands.0)?, self.shape(&operands.1)?);
                let mut shape = a.get(..a.len().checked_sub(1)?)?.to_vec();
                shape.extend_from_slice(b.get(1..)?);
                Some(shape)
            }
            Exp::Binary(_, operands) => {
                let from_left = rank(&operands.0) >= rank(&operands.1);
                self.shape(if from_left { &operands.0 } else { &operands.1 })
            }
            Exp::If(branches) => self
                .shape(&branches.then)
                .or_else(|| self.shape(&branches.else_)),
            Exp::Subscripted(operand, subscripts) => {
                let shape = self.shape(operand)?;
                self.subscripted_shape(&shape, subscripts)
            }
            Exp::Size(operand, None) => Some(vec![rank(operand)]),
            Exp::TupleElement(..) => type_shape(&type_of(exp)),
            Exp::Field(operand, _) => {
                let mut shape = self.shape(operand)?;
                shape.extend(type_shape(&type_of(exp))?);
                Some(shape)
            }
            _ => Some(Vec::new()),
        }
    }

    fn reference_shape(&mut self, cref: &Cref) -> Option<Vec<usize>> {
        if dims_of(&cref.ty).is_empty() {
            return Some(Vec::new());
        }
        let mut shape = Vec::new();
        for part in &cref.parts {
            let dims = &self.instance.components.get(part.component)?.dims;
            if part.subscripts.is_empty() {
                for dim in dims {
                    shape.push(extent(dim)?);
                }
                continue;
            }
            let extents: Option<Vec<usize>> = dims.iter().map(extent).collect();
            shape.extend(self.subscripted_shape(&extents?, &part.subscripts)?);
        }
        Some(shape)
    }

    fn subscripted_shape(
        &mut self,
        shape: &[usize],
        subscripts: &[Subscript],
    ) -> Option<Vec<usize>> {
        let mut result = Vec::new();
        for (i, extent) in shape.iter().enumerate() {
            match subscripts.get(i) {
                None | Some(Subscript::All) => result.push(*extent),
                Some(Subscript::Index(_)) => {}
                Some(Subscript::Slice(indices)) => {
                    result.push(self.shape(indices)?.first().copied()?)
                }
            }
        }
        Some(result)
    }

    fn call_shape(&mut self, call: &modeshift_inst::exp::Call) -> Option<Vec<usize>> {
        if let Some(shape) = type_shape(&call.ty) {
            return Some(shape);
        }
        // The type does not know: sizes may follow from iterators that have a value here.
        match &call.function {
            Callee::Builtin(name) => self.builtin_shape(name.as_str(), call),
            Callee::User(_) => None,
        }
    }
}

/// Extents as far as a type knows them.
pub fn type_shape(ty: &Type) -> Option<Vec<usize>> {
    dims_of(ty).iter().map(extent).collect()
}
