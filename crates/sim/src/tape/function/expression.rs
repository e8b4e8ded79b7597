//! Expressions inside functions, with nodes of the graph as values.

use super::{Array, Frame, MAX_STEPS, Why, record_of, room};
use crate::tape::{Binary, Reg, Unary};
use modeshift_flat::model::{FlatExp, FlatRef};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, Reduction, Subscript, UnaryOp};
use modeshift_mdae::sym::RelOp;

impl Frame<'_> {
    /// Which items subscripts choose, and the dimensions that remain.
    pub(super) fn positions(
        &mut self,
        whole: &Array,
        subscripts: &[Subscript<FlatRef>],
    ) -> Result<(Vec<usize>, Vec<usize>), Why> {
        let mut choices: Vec<Vec<usize>> = Vec::new();
        let mut dims = Vec::new();
        for (i, &dim) in whole.dims.iter().enumerate() {
            let list: Vec<usize> = match subscripts.get(i) {
                None | Some(Subscript::All) => {
                    dims.push(dim);
                    (1..=dim).collect()
                }
                Some(Subscript::Index(exp)) => vec![self.index(exp)?],
                Some(Subscript::Slice(exp)) => {
                    let mut list = Vec::new();
                    for item in self.exp(exp)?.items {
                        list.push(self.as_index(item)?);
                    }
                    dims.push(list.len());
                    list
                }
            };
            choices.push(list);
        }
        let mut positions = vec![0];
        for (list, &dim) in choices.iter().zip(&whole.dims) {
            let mut next = Vec::with_capacity(positions.len() * list.len());
            for &position in &positions {
                for &index in list {
                    if index == 0 || index > dim {
                        return Err("an index is out of bounds");
                    }
                    next.push(position * dim + index - 1);
                }
            }
            positions = next;
        }
        Ok((positions, dims))
    }

    fn index(&mut self, exp: &FlatExp) -> Result<usize, Why> {
        let reg = self.scalar(exp)?;
        self.as_index(reg)
    }

    fn as_index(&self, reg: Reg) -> Result<usize, Why> {
        let value = self
            .graph
            .value(reg)
            .ok_or("an index depends on values that are not known")?;
        if (0.0..1e9).contains(&value) {
            Ok(value as usize)
        } else {
            Err("an index is out of bounds")
        }
    }

    pub(super) fn integer(&mut self, exp: &FlatExp) -> Result<i64, Why> {
        let reg = self.scalar(exp)?;
        let value = self
            .graph
            .value(reg)
            .ok_or("a size depends on values that are not known")?;
        Ok(value as i64)
    }

    pub(super) fn scalar(&mut self, exp: &FlatExp) -> Result<Reg, Why> {
        match self.exp(exp)?.items[..] {
            [reg] => Ok(reg),
            _ => Err("an array is given where a number is expected"),
        }
    }

    pub(super) fn exp(&mut self, exp: &FlatExp) -> Result<Array, Why> {
        let number = |this: &mut Self, value: f64| Ok(Array::scalar(this.graph.constant(value)));
        match exp {
            Exp::Int(value) => number(self, *value as f64),
            Exp::Real(value) => number(self, *value),
            Exp::Bool(value) => number(self, f64::from(*value)),
            Exp::Enum(_, literal) => number(self, f64::from(*literal)),
            Exp::Cast(_, inner) => self.exp(inner),
            Exp::Ref(FlatRef::Local(local)) => {
                let (name, _) = local.parts.first().ok_or("a variable has no name")?;
                let whole = self.variable(*name)?;
                self.follow(whole, local)
            }
            Exp::Record(ty, fields) => {
                let mut items = Vec::new();
                for field in fields {
                    items.extend(self.exp(field)?.items);
                }
                Ok(Array {
                    dims: Vec::new(),
                    items,
                    record: record_of(ty),
                })
            }
            Exp::Field(inner, name) => self.exp(inner)?.field(*name),
            Exp::Iterator(name) => {
                let mut known = self.iterators.iter().rev();
                let found = known.find(|(iterator, _)| iterator == name);
                found
                    .map(|(_, reg)| Array::scalar(*reg))
                    .ok_or("an iterator has no value")
            }
            Exp::Array(items, _) => {
                let parts: Vec<Array> = items
                    .iter()
                    .map(|item| self.exp(item))
                    .collect::<Result<_, _>>()?;
                let mut dims = vec![parts.len()];
                dims.extend(
                    parts
                        .first()
                        .map(|part| part.dims.clone())
                        .unwrap_or_default(),
                );
                let record = parts.first().and_then(|part| part.record.clone());
                let items = parts.into_iter().flat_map(|part| part.items).collect();
                Ok(Array {
                    dims,
                    items,
                    record,
                })
            }
            Exp::Range(range) => {
                let (start, stop) = (self.integer(&range.start)?, self.integer(&range.stop)?);
                let step = match &range.step {
                    Some(step) => self.integer(step)?,
                    None => 1,
                };
                if step == 0 || (stop - start) / step > MAX_STEPS as i64 {
                    return Err("a range is too long");
                }
                let count = ((stop - start).div_euclid(step) + 1).max(0);
                let items: Vec<Reg> = (0..count)
                    .map(|i| self.graph.constant((start + i * step) as f64))
                    .collect();
                Ok(Array::new(vec![items.len()], items))
            }
            Exp::Unary(op, inner) => {
                let op = match op {
                    UnaryOp::Neg => Unary::Neg,
                    UnaryOp::Not => Unary::Not,
                };
                let mut value = self.exp(inner)?;
                for item in &mut value.items {
                    *item = self.graph.unary(op, *item);
                }
                Ok(value)
            }
            Exp::Binary(op, sides) => self.binary(*op, &sides.0, &sides.1),
            Exp::If(branch) => {
                let condition = self.scalar(&branch.condition)?;
                match self.graph.value(condition) {
                    Some(holds) if holds != 0.0 => self.exp(&branch.then),
                    Some(_) => self.exp(&branch.else_),
                    None => {
                        let (a, mut b) = (self.exp(&branch.then)?, self.exp(&branch.else_)?);
                        for (b, a) in b.items.iter_mut().zip(a.items) {
                            *b = self.graph.select(condition, a, *b);
                        }
                        Ok(b)
                    }
                }
            }
            Exp::Call(call) => self.call(call),
            Exp::TupleElement(inner, output) => match &**inner {
                Exp::Call(call) => {
                    let mut outputs = self.user_call(call)?;
                    let index = (*output as usize).saturating_sub(1);
                    if index < outputs.len() {
                        Ok(outputs.swap_remove(index))
                    } else {
                        Err("a call has no such output")
                    }
                }
                _ => Err("an element of this tuple is not known"),
            },
            Exp::Size(array, dim) => {
                let dims = self.exp(array)?.dims;
                match dim {
                    Some(dim) => {
                        let index = self.index(dim)?;
                        let size = dims
                            .get(index.wrapping_sub(1))
                            .ok_or("there is no such dimension")?;
                        number(self, *size as f64)
                    }
                    None => {
                        let items: Vec<Reg> = dims
                            .iter()
                            .map(|&d| self.graph.constant(d as f64))
                            .collect();
                        Ok(Array::new(vec![items.len()], items))
                    }
                }
            }
            Exp::Reduction(reduction) => self.reduction(reduction),
            Exp::Subscripted(inner, subscripts) => {
                let whole = self.exp(inner)?;
                self.select(&whole, subscripts)
            }
            Exp::Str(_) => Err("it uses strings"),
            _ => Err("one of its expressions is not supported"),
        }
    }

    fn reduction(&mut self, reduction: &Reduction<FlatRef>) -> Result<Array, Why> {
        let [(name, range)] = &reduction.iterators[..] else {
            return Err("a reduction has several iterators");
        };
        let mut items = Vec::new();
        let mut inner_dims = Vec::new();
        let range = self.exp(range)?.items;
        let count = range.len();
        for value in range {
            self.iterators.push((*name, value));
            let item = self.exp(&reduction.body);
            self.iterators.pop();
            let item = item?;
            inner_dims = item.dims;
            items.extend(item.items);
        }
        let name = match &reduction.function {
            Callee::Builtin(name) => name.as_str(),
            Callee::User(_) => return Err("a reduction with a function of its own"),
        };
        if name == "array" {
            let mut dims = vec![count];
            dims.extend(inner_dims);
            return Ok(Array::new(dims, items));
        }
        self.fold(name, &items)
    }

    fn fold(&mut self, name: &str, items: &[Reg]) -> Result<Array, Why> {
        let (op, start) = match name {
            "sum" => (Binary::Add, 0.0),
            "product" => (Binary::Mul, 1.0),
            "min" => (Binary::Min, f64::MAX),
            "max" => (Binary::Max, f64::MIN),
            _ => return Err("it uses a reduction that is not known"),
        };
        let mut items = items.iter();
        let Some(&first) = items.next() else {
            return Ok(Array::scalar(self.graph.constant(start)));
        };
        let value = items.fold(first, |a, &b| self.graph.binary(op, a, b));
        Ok(Array::scalar(value))
    }

    fn binary(&mut self, op: BinaryOp, left: &FlatExp, right: &FlatExp) -> Result<Array, Why> {
        let (a, b) = (self.exp(left)?, self.exp(right)?);
        use BinaryOp as B;
        match op {
            B::MatMul => self.matrix_product(&a, &b),
            B::MatPow => Err("it uses a power of a matrix"),
            _ => {
                let dims = if a.dims.is_empty() {
                    b.dims.clone()
                } else {
                    a.dims.clone()
                };
                if !a.dims.is_empty() && !b.dims.is_empty() && a.dims != b.dims {
                    return Err("an operator has operands of different size");
                }
                let count: usize = dims.iter().product();
                let at = |array: &Array, i: usize| {
                    array.items[if array.dims.is_empty() { 0 } else { i }]
                };
                let items = (0..count)
                    .map(|i| self.operator(op, at(&a, i), at(&b, i)))
                    .collect::<Result<_, _>>()?;
                Ok(Array::new(dims, items))
            }
        }
    }

    fn operator(&mut self, op: BinaryOp, a: Reg, b: Reg) -> Result<Reg, Why> {
        use BinaryOp as B;
        let relation = match op {
            B::Less => RelOp::Less,
            B::LessEq => RelOp::LessEqual,
            B::Greater => RelOp::Greater,
            B::GreaterEq => RelOp::GreaterEqual,
            B::Equal => RelOp::Equal,
            B::NotEqual => RelOp::NotEqual,
            _ => {
                let op = match op {
                    B::Add | B::AddElem => Binary::Add,
                    B::Sub | B::SubElem => Binary::Sub,
                    B::Mul | B::MulElem => Binary::Mul,
                    B::Div | B::DivElem => Binary::Div,
                    B::Pow | B::PowElem => return Ok(self.power(a, b)),
                    B::And => Binary::And,
                    B::Or => Binary::Or,
                    _ => return Err("it uses an operator that is not known"),
                };
                return Ok(self.graph.binary(op, a, b));
            }
        };
        Ok(self.graph.compare(relation, a, b))
    }

    fn power(&mut self, a: Reg, b: Reg) -> Reg {
        match self.graph.value(b) {
            Some(n) if n.fract() == 0.0 && n.abs() < 1e6 => self.graph.power(a, n as i32),
            _ => self.graph.binary(Binary::Pow, a, b),
        }
    }

    fn matrix_product(&mut self, a: &Array, b: &Array) -> Result<Array, Why> {
        let inner = *a.dims.last().ok_or("a product has a scalar operand")?;
        if b.dims.first() != Some(&inner) {
            return Err("a product has operands of different size");
        }
        let rows: usize = a.dims[..a.dims.len() - 1].iter().product();
        let columns: usize = b.dims[1..].iter().product();
        let mut items = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut sum = self.graph.constant(0.0);
                for k in 0..inner {
                    let term = self
                        .graph
                        .mul(a.items[i * inner + k], b.items[k * columns + j]);
                    sum = self.graph.add(sum, term);
                }
                items.push(sum);
            }
        }
        let mut dims = a.dims[..a.dims.len() - 1].to_vec();
        dims.extend_from_slice(&b.dims[1..]);
        Ok(Array::new(dims, items))
    }

    fn call(&mut self, call: &Call<FlatRef>) -> Result<Array, Why> {
        let name = match &call.function {
            Callee::User(_) => {
                return self
                    .user_call(call)?
                    .into_iter()
                    .next()
                    .ok_or("a function has no output");
            }
            Callee::Builtin(name) => name.as_str(),
        };
        match (name, &call.args[..]) {
            ("noEvent" | "scalar" | "Real" | "Integer" | "vector", [inner])
            | ("smooth", [_, inner]) => self.exp(inner),
            ("sum" | "product" | "min" | "max", [inner]) => {
                let items = self.exp(inner)?.items;
                self.fold(name, &items)
            }
            ("size", [array, dim]) => {
                let size = Exp::Size(Box::new(array.clone()), Some(Box::new(dim.clone())));
                self.exp(&size)
            }
            ("fill", [value, dims @ ..]) => {
                let value = self.scalar(value)?;
                self.filled(value, dims)
            }
            ("zeros" | "ones", dims) => {
                let value = self.graph.constant(f64::from(name == "ones"));
                self.filled(value, dims)
            }
            ("cross", [a, b]) => {
                let (a, b) = (self.exp(a)?.items, self.exp(b)?.items);
                if a.len() != 3 || b.len() != 3 {
                    return Err("`cross` of vectors that have not three elements");
                }
                let items = (0..3).map(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let (x, y) = (self.graph.mul(a[j], b[k]), self.graph.mul(a[k], b[j]));
                    self.graph.sub(x, y)
                });
                Ok(Array::new(vec![3], items.collect()))
            }
            ("skew", [a]) => {
                let a = self.exp(a)?.items;
                let [x, y, z] = a[..] else {
                    return Err("`skew` of a vector that has not three elements");
                };
                let zero = self.graph.constant(0.0);
                let [p, q, r] = [x, y, z].map(|item| self.graph.neg(item));
                let items = vec![zero, r, y, z, zero, p, q, x, zero];
                Ok(Array::new(vec![3, 3], items))
            }
            ("outerProduct", [a, b]) => {
                let (a, b) = (self.exp(a)?.items, self.exp(b)?.items);
                let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                let items: Vec<Reg> = pairs.map(|(x, y)| self.graph.mul(x, y)).collect();
                Ok(Array::new(vec![a.len(), b.len()], items))
            }
            ("identity", [n]) => {
                let n = self.index(n)?;
                room([n, n])?;
                let one = self.graph.constant(1.0);
                self.diagonal(&vec![one; n])
            }
            ("diagonal", [vector]) => {
                let items = self.exp(vector)?.items;
                self.diagonal(&items)
            }
            ("cat", [dim, parts @ ..]) => {
                let along = self.index(dim)?;
                let parts: Vec<Array> = parts
                    .iter()
                    .map(|p| self.exp(p))
                    .collect::<Result<_, _>>()?;
                let Some(first) = parts.first() else {
                    return Err("`cat` of nothing");
                };
                if along == 0 || parts.iter().any(|part| part.dims.len() < along) {
                    return Err("`cat` along a dimension that is not there");
                }
                let mut dims = first.dims.clone();
                dims[along - 1] = parts.iter().map(|part| part.dims[along - 1]).sum();
                let outer: usize = dims[..along - 1].iter().product();
                let mut items = Vec::new();
                for i in 0..outer {
                    for part in &parts {
                        let size = part.items.len() / outer.max(1);
                        items.extend(&part.items[i * size..(i + 1) * size]);
                    }
                }
                Ok(Array::new(dims, items))
            }
            ("transpose", [inner]) => {
                let value = self.exp(inner)?;
                let [rows, columns] = value.dims[..] else {
                    return Err("`transpose` of something that is no matrix");
                };
                let items = (0..columns)
                    .flat_map(|j| (0..rows).map(move |i| (i, j)))
                    .map(|(i, j)| value.items[i * columns + j])
                    .collect();
                Ok(Array::new(vec![columns, rows], items))
            }
            (_, [a]) if Unary::named(name).is_some() => {
                let mut value = self.exp(a)?;
                if let Some(op) = Unary::named(name) {
                    for item in &mut value.items {
                        *item = self.graph.unary(op, *item);
                    }
                }
                Ok(value)
            }
            (_, [a, b]) => {
                let op = Binary::named(name).ok_or("it calls a function that is not known")?;
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Ok(Array::scalar(self.graph.binary(op, a, b)))
            }
            _ => Err("it calls a function that is not known"),
        }
    }

    fn diagonal(&mut self, items: &[Reg]) -> Result<Array, Why> {
        let n = items.len();
        room([n, n])?;
        let zero = self.graph.constant(0.0);
        let all = (0..n * n).map(|k| if k / n == k % n { items[k / n] } else { zero });
        Ok(Array::new(vec![n, n], all.collect()))
    }

    fn filled(&mut self, value: Reg, dims: &[FlatExp]) -> Result<Array, Why> {
        let dims: Vec<usize> = dims
            .iter()
            .map(|dim| self.index(dim))
            .collect::<Result<_, _>>()?;
        let count = room(dims.iter().copied())?;
        Ok(Array::new(dims, vec![value; count]))
    }

    pub(super) fn user_call(&mut self, call: &Call<FlatRef>) -> Result<Vec<Array>, Why> {
        let Callee::User(name) = &call.function else {
            return Err("several values come from a function that has one");
        };
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.exp(arg)?);
        }
        let function = self
            .functions
            .by_name
            .get(&**name)
            .ok_or("it calls a function that is not there")?;
        self.functions
            .run(self.graph, function, args, self.depth + 1)
    }
}
