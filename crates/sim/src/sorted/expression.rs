//! Flat expressions as nodes: literals, operators, arrays, reductions.

use super::lower::Lowering;
use super::slots::TIME;
use super::value::{Value, Why, known};
use crate::plan::WHOLE;
use crate::tape::{Binary, Op, Reg, Unary};
use modeshift_base::Name;
use modeshift_flat::model::{FlatExp, FlatRef};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, Reduction, UnaryOp};
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;

impl Lowering<'_> {
    pub fn scalar(&mut self, exp: &FlatExp) -> Result<Reg, Why> {
        self.exp(exp)?.only()
    }

    /// A number that must be known now.
    pub fn number(&mut self, exp: &FlatExp) -> Result<f64, Why> {
        let reg = self.scalar(exp)?;
        let value = self.graph.value(reg);
        value.ok_or_else(|| "a size, range or subscript changes with time".to_owned())
    }

    pub(super) fn constant(&mut self, value: f64) -> Result<Value, Why> {
        Ok(Value::scalar(self.graph.constant(value)))
    }

    pub fn exp(&mut self, exp: &FlatExp) -> Result<Value, Why> {
        match exp {
            Exp::Int(value) => self.constant(*value as f64),
            Exp::Real(value) => self.constant(*value),
            Exp::Bool(value) => self.constant(f64::from(*value)),
            Exp::Enum(_, literal) => self.constant(f64::from(*literal)),
            Exp::Str(text) => Ok(Value::scalar(self.functions.text(&mut self.graph, text))),
            Exp::Time => Ok(Value::scalar(self.graph.input(TIME))),
            Exp::Cast(_, inner) => self.exp(inner),
            Exp::Ref(FlatRef::Var(id)) => self.var(id.index() as u32).map(Value::scalar),
            Exp::Ref(FlatRef::Group(id)) => self.group(*id),
            Exp::Ref(FlatRef::Element(id, subscripts)) => {
                let whole = self.open_group(*id, subscripts.len())?;
                let subscripts = self.within(*id, subscripts);
                self.select(&whole, &subscripts)
            }
            Exp::Ref(FlatRef::Local(_)) => {
                Err("a variable of a function is in an equation".to_owned())
            }
            Exp::Iterator(name) => {
                let mut list = self.iterators.iter().rev();
                let found = list.find(|(iterator, _)| iterator == name);
                let reg = found.map(|(_, reg)| *reg);
                reg.map(Value::scalar)
                    .ok_or_else(|| format!("the iterator `{name}` has no value"))
            }
            Exp::Array(items, ty) => self.array(items, ty),
            Exp::Range(range) => {
                let start = self.number(&range.start)?;
                let stop = self.number(&range.stop)?;
                let step = match &range.step {
                    Some(step) => self.number(step)?,
                    None => 1.0,
                };
                let count = ((stop - start) / step + 1.0 + 1e-10).floor();
                if count.is_nan() || count >= 1e6 {
                    return Err("a range is too long".to_owned());
                }
                let count = count.max(0.0) as usize;
                let items = (0..count).map(|i| self.graph.constant(start + i as f64 * step));
                Ok(Value::new(vec![count], items.collect()))
            }
            Exp::Record(ty, fields) => {
                let mut items = Vec::new();
                for field in fields {
                    items.extend(self.exp(field)?.items);
                }
                Value::typed(ty, items)
                    .ok_or_else(|| "the size of a record is not known".to_owned())
            }
            Exp::Field(inner, name) => self.exp(inner)?.field(*name),
            Exp::Unary(op, inner) => {
                let mut value = self.exp(inner)?;
                for item in &mut value.items {
                    *item = match op {
                        UnaryOp::Neg => self.graph.neg(*item),
                        UnaryOp::Not => self.not(*item),
                    };
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
                        let outer = self.path;
                        self.path = self.and(outer, condition);
                        let then = self.exp(&branch.then);
                        let not = self.not(condition);
                        self.path = self.and(outer, not);
                        let otherwise = self.exp(&branch.else_);
                        self.path = outer;
                        let (a, mut b) = (then?, otherwise?);
                        if a.items.len() != b.items.len() {
                            return Err("the branches of an `if` differ in size".to_owned());
                        }
                        for (b, a) in b.items.iter_mut().zip(a.items) {
                            *b = self.graph.select(condition, a, *b);
                        }
                        Ok(b)
                    }
                }
            }
            Exp::Call(call) => match &call.function {
                Callee::Builtin(name) => self.builtin(name.as_str(), &call.args, &call.ty),
                Callee::User(name) => {
                    let mut outputs = self.user_call(name, &call.args, &call.ty)?;
                    if outputs.is_empty() {
                        return Err(format!("`{name}` has no output"));
                    }
                    Ok(outputs.swap_remove(0))
                }
            },
            Exp::TupleElement(inner, output) => {
                let Exp::Call(call) = &**inner else {
                    return Err("an element of this tuple is not known".to_owned());
                };
                let Callee::User(name) = &call.function else {
                    return Err("an element of this tuple is not known".to_owned());
                };
                let mut outputs = self.user_call(name, &call.args, &call.ty)?;
                let index = (*output as usize).saturating_sub(1);
                if index >= outputs.len() {
                    return Err(format!("`{name}` has no output {output}"));
                }
                Ok(outputs.swap_remove(index))
            }
            Exp::Size(array, dim) => {
                let dims = self.exp(array)?.dims;
                match dim {
                    Some(dim) => {
                        let index = self.number(dim)? as usize;
                        let size = dims.get(index.wrapping_sub(1)).copied();
                        let size = size.ok_or_else(|| "there is no such dimension".to_owned())?;
                        self.constant(size as f64)
                    }
                    None => {
                        let items: Vec<Reg> = dims
                            .iter()
                            .map(|&d| self.graph.constant(d as f64))
                            .collect();
                        Ok(Value::new(vec![items.len()], items))
                    }
                }
            }
            Exp::Reduction(reduction) => self.reduction(reduction),
            Exp::Subscripted(inner, subscripts) => {
                let whole = self.exp(inner)?;
                self.select(&whole, subscripts)
            }
            Exp::TypeRange(dim) => {
                let count = dim.known().unwrap_or(0).max(0);
                let boolean = matches!(dim, modeshift_inst::ty::Dim::Boolean);
                let first = i64::from(!boolean);
                let items = (0..count).map(|i| self.graph.constant((i + first) as f64));
                Ok(Value::new(vec![count as usize], items.collect()))
            }
            Exp::Tuple(_) => Err("a tuple is given where a value is expected".to_owned()),
            Exp::PartialFunction(..) => Err("a function is passed as a value".to_owned()),
            Exp::Error => Err("an expression with an error".to_owned()),
        }
    }

    pub(super) fn array(&mut self, items: &[FlatExp], ty: &Type) -> Result<Value, Why> {
        let parts: Vec<Value> = items
            .iter()
            .map(|item| self.exp(item))
            .collect::<Result<_, _>>()?;
        let mut dims = vec![parts.len()];
        match parts.first() {
            Some(first) => dims.extend(&first.dims),
            None => dims.extend(known(ty.dims()).unwrap_or_default().iter().skip(1)),
        }
        let record = parts.first().and_then(|part| part.record.clone());
        let items = parts.into_iter().flat_map(|part| part.items).collect();
        Ok(Value {
            dims,
            items,
            record,
        })
    }

    pub(super) fn reduction(&mut self, reduction: &Reduction<FlatRef>) -> Result<Value, Why> {
        let Callee::Builtin(name) = &reduction.function else {
            return Err("a reduction with a function of its own".to_owned());
        };
        let (mut dims, mut items, mut inner) = (Vec::new(), Vec::new(), None);
        self.iterate(
            &reduction.iterators,
            &reduction.body,
            &mut dims,
            &mut items,
            &mut inner,
        )?;
        if name.as_str() == "array" {
            let inner = inner.unwrap_or_else(|| Value::new(Vec::new(), Vec::new()));
            dims.extend(inner.dims);
            return Ok(Value {
                dims,
                items,
                record: inner.record,
            });
        }
        self.fold(name.as_str(), &items)
    }

    pub(super) fn iterate(
        &mut self,
        iterators: &[(Name, FlatExp)],
        body: &FlatExp,
        dims: &mut Vec<usize>,
        items: &mut Vec<Reg>,
        shape: &mut Option<Value>,
    ) -> Result<(), Why> {
        let Some(((name, range), rest)) = iterators.split_first() else {
            let value = self.exp(body)?;
            items.extend(&value.items);
            *shape = Some(value);
            return Ok(());
        };
        let range = self.exp(range)?.items;
        let depth = dims.len();
        dims.push(range.len());
        for item in range {
            dims.truncate(depth + 1);
            self.iterators.push((*name, item));
            let result = self.iterate(rest, body, dims, items, shape);
            self.iterators.pop();
            result?;
        }
        Ok(())
    }

    pub fn fold(&mut self, name: &str, items: &[Reg]) -> Result<Value, Why> {
        let (op, start) = match name {
            "sum" => (Binary::Add, 0.0),
            "product" => (Binary::Mul, 1.0),
            "min" => (Binary::Min, f64::MAX),
            "max" => (Binary::Max, f64::MIN),
            _ => return Err(format!("the reduction `{name}` is not known")),
        };
        let mut items = items.iter();
        let Some(&first) = items.next() else {
            return self.constant(start);
        };
        let value = items.fold(first, |a, &b| self.graph.binary(op, a, b));
        Ok(Value::scalar(value))
    }

    pub fn not(&mut self, a: Reg) -> Reg {
        if let Op::Unary(Unary::Not, inner) = self.graph.op(a) {
            return inner;
        }
        self.graph.unary(Unary::Not, a)
    }

    pub fn and(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.graph.value(a), self.graph.value(b)) {
            (Some(x), _) => {
                if x != 0.0 {
                    b
                } else {
                    a
                }
            }
            (_, Some(y)) => {
                if y != 0.0 {
                    a
                } else {
                    b
                }
            }
            _ if a == b => a,
            _ => self.graph.binary(Binary::And, a, b),
        }
    }

    pub fn or(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.graph.value(a), self.graph.value(b)) {
            (Some(x), _) => {
                if x != 0.0 {
                    a
                } else {
                    b
                }
            }
            (_, Some(y)) => {
                if y != 0.0 {
                    b
                } else {
                    a
                }
            }
            _ if a == b => a,
            _ => self.graph.binary(Binary::Or, a, b),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &FlatExp,
        right: &FlatExp,
    ) -> Result<Value, Why> {
        use BinaryOp as B;
        let a = self.exp(left)?;
        // `x > 0 and f(x)`: what follows a decided condition need not be known.
        if let (B::And | B::Or, Ok(first)) = (op, a.only())
            && let Some(value) = self.graph.value(first)
            && (value != 0.0) == (op == B::Or)
        {
            return Ok(a);
        }
        let b = self.exp(right)?;
        match op {
            B::MatMul => self.matrix_product(&a, &b),
            B::MatPow => self.matrix_power(&a, right),
            B::Mul | B::Div
                if a.dims.len() + b.dims.len() > 0 && !(a.dims.is_empty() || b.dims.is_empty()) =>
            {
                if op == B::Mul {
                    self.matrix_product(&a, &b)
                } else {
                    Err("a quotient of arrays".to_owned())
                }
            }
            _ => {
                let dims = if a.dims.is_empty() {
                    b.dims.clone()
                } else {
                    a.dims.clone()
                };
                if !a.dims.is_empty() && !b.dims.is_empty() && a.dims != b.dims {
                    return Err("an operator has operands of different size".to_owned());
                }
                let count: usize = dims.iter().product();
                let at = |value: &Value, i: usize| {
                    value.items[if value.dims.is_empty() { 0 } else { i }]
                };
                if a.record.is_some() || b.record.is_some() {
                    return Err("an operator on records".to_owned());
                }
                let whole = op == B::Mul && self.is_integer(left) && self.is_integer(right);
                let items = (0..count).map(|i| {
                    let value = self.operator(op, at(&a, i), at(&b, i))?;
                    Ok(if whole {
                        self.exact_integer(value)
                    } else {
                        value
                    })
                });
                let items = items.collect::<Result<_, Why>>()?;
                Ok(Value::new(dims, items))
            }
        }
    }

    /// Whether an expression is an Integer: of those that are not, a cast makes a Real.
    fn is_integer(&self, exp: &FlatExp) -> bool {
        match exp {
            Exp::Int(_) => true,
            Exp::Ref(FlatRef::Var(v)) => self.variable(v.index() as u32).ty == Type::Integer,
            Exp::Unary(UnaryOp::Neg, inner) => self.is_integer(inner),
            Exp::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, sides) => {
                self.is_integer(&sides.0) && self.is_integer(&sides.1)
            }
            Exp::Call(call) => {
                let pre = matches!(&call.function, Callee::Builtin(name) if name.as_str() == "pre");
                pre && call.args.iter().all(|arg| self.is_integer(arg))
            }
            _ => false,
        }
    }

    /// A product that is too large to be exact is none: what it is assigned to says so.
    fn exact_integer(&mut self, value: Reg) -> Reg {
        if self.graph.value(value).is_some_and(|it| it.abs() <= WHOLE) {
            return value;
        }
        let size = self.graph.unary(Unary::Abs, value);
        let [most, beyond] = [WHOLE, f64::INFINITY].map(|it| self.graph.constant(it));
        let exact = self.graph.compare(RelOp::LessEqual, size, most);
        self.graph.select(exact, value, beyond)
    }

    pub(super) fn operator(&mut self, op: BinaryOp, a: Reg, b: Reg) -> Result<Reg, Why> {
        use BinaryOp as B;
        let relation = match op {
            B::Less => RelOp::Less,
            B::LessEq => RelOp::LessEqual,
            B::Greater => RelOp::Greater,
            B::GreaterEq => RelOp::GreaterEqual,
            B::Equal => RelOp::Equal,
            B::NotEqual => RelOp::NotEqual,
            B::Add | B::AddElem => return Ok(self.graph.add(a, b)),
            B::Sub | B::SubElem => return Ok(self.graph.sub(a, b)),
            B::Mul | B::MulElem => return Ok(self.graph.mul(a, b)),
            B::Div | B::DivElem => return Ok(self.graph.div(a, b)),
            B::Pow | B::PowElem => return Ok(self.power(a, b)),
            B::And => return Ok(self.and(a, b)),
            B::Or => return Ok(self.or(a, b)),
            _ => return Err("an operator that is not known".to_owned()),
        };
        Ok(self.relation(relation, a, b))
    }

    pub fn power(&mut self, a: Reg, b: Reg) -> Reg {
        match self.graph.value(b) {
            Some(n) if n.fract() == 0.0 && n.abs() < 1e6 => self.graph.power(a, n as i32),
            Some(0.5) => self.graph.unary(Unary::Sqrt, a),
            _ => self.graph.binary(Binary::Pow, a, b),
        }
    }

    pub(super) fn matrix_product(&mut self, a: &Value, b: &Value) -> Result<Value, Why> {
        let inner = a.dims.last().copied().unwrap_or(0);
        if a.dims.is_empty() || b.dims.first() != Some(&inner) {
            return Err("a product has operands of different size".to_owned());
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
        Ok(Value::new(dims, items))
    }

    pub(super) fn matrix_power(&mut self, a: &Value, exponent: &FlatExp) -> Result<Value, Why> {
        let count = self.number(exponent)?;
        let [n, m] = a.dims[..] else {
            return Err("a power of something that is no matrix".to_owned());
        };
        if n != m || !(0.0..=1000.0).contains(&count) {
            return Err("a power of a matrix that is not square, or too large a power".to_owned());
        }
        let (zero, one) = (self.graph.constant(0.0), self.graph.constant(1.0));
        let unit = (0..n * n).map(|i| if i / n == i % n { one } else { zero });
        let mut result = Value::new(vec![n, n], unit.collect());
        for _ in 0..count as usize {
            result = self.matrix_product(&result, a)?;
        }
        Ok(result)
    }
}
