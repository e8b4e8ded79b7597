//! Built-in operators and functions.

use super::lower::{Assertion, Class, Delay, Lowering, Sample};
use super::slots::Key;
use super::value::{Value, Why};
use crate::tape::{Binary, Reg, Unary};
use modeshift_flat::model::{FlatExp, FlatRef};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;

impl Lowering<'_> {
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[FlatExp],
        ty: &Type,
    ) -> Result<Value, Why> {
        match (name, args) {
            ("der", [inner]) => self.each(inner, |this, reg| Ok(this.derivative(reg))),
            ("pre", [inner]) => self.left_limit(inner),
            ("edge", [inner]) => {
                let (now, before) = (self.exp(inner)?, self.left_limit(inner)?);
                self.pairwise(&now, &before, |this, a, b| {
                    let before = this.not(b);
                    this.and(a, before)
                })
            }
            ("change", [inner]) => {
                let (now, before) = (self.exp(inner)?, self.left_limit(inner)?);
                self.pairwise(&now, &before, |this, a, b| {
                    this.graph.compare(RelOp::NotEqual, a, b)
                })
            }
            // What flows in from the others at a node: weights are positive, so the quotient always has a value.
            ("$OMC$PositiveMax", [flow, least]) => {
                let (flow, least) = (self.scalar(flow)?, self.scalar(least)?);
                Ok(Value::scalar(self.graph.binary(Binary::Max, flow, least)))
            }
            ("$OMC$inStreamDiv", [quotient, _]) => self.exp(quotient),
            ("initial", []) => Ok(Value::scalar(self.initial_flag())),
            ("terminal", []) => Ok(Value::scalar(self.terminal_flag())),
            ("sample", [start, interval]) => self.sample(start, interval),
            ("noEvent", [inner]) => self.without_events(inner),
            ("smooth", [order, inner]) => {
                // What is continuous needs no events: section 15.3 of the specification counts on that for flows that turn
                // round. They help to integrate across a kink, though.
                let kink = !self.number(order).is_ok_and(|order| order >= 1.0);
                self.has_kinks |= kink;
                match kink && self.kink_events {
                    true => self.exp(inner),
                    false => self.without_events(inner),
                }
            }
            ("homotopy", [actual, simplified]) => {
                self.has_homotopy = true;
                let actual = self.exp(actual)?;
                if !self.homotopy {
                    return Ok(actual);
                }
                let simplified = self.exp(simplified)?;
                let lambda = self.lambda();
                let one = self.graph.constant(1.0);
                let rest = self.graph.sub(one, lambda);
                self.pairwise(&actual, &simplified, |this, a, b| {
                    let (a, b) = (this.graph.mul(lambda, a), this.graph.mul(rest, b));
                    this.graph.add(a, b)
                })
            }
            ("semiLinear", [x, rising, falling]) => {
                let (x, zero) = (self.scalar(x)?, self.graph.constant(0.0));
                let (a, b) = (self.scalar(rising)?, self.scalar(falling)?);
                let positive = self.relation(RelOp::GreaterEqual, x, zero);
                let slope = self.graph.select(positive, a, b);
                Ok(Value::scalar(self.graph.mul(slope, x)))
            }
            ("delay", [inner, time]) => self.delay(inner, time, None),
            ("delay", [inner, time, most]) => self.delay(inner, time, Some(most)),
            ("floor" | "integer", [inner]) => {
                self.each(inner, |this, reg| Ok(this.round(Unary::Floor, reg)))
            }
            ("ceil", [inner]) => self.each(inner, |this, reg| Ok(this.round(Unary::Ceil, reg))),
            ("div" | "mod" | "rem", [a, b]) => {
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                self.pairwise(&a, &b, |this, a, b| this.division(name, a, b))
            }
            ("sum" | "product", [inner]) | ("min" | "max", [inner]) => {
                let items = self.exp(inner)?.items;
                self.fold(name, &items)
            }
            ("size", [array]) => self.exp(&Exp::Size(Box::new(array.clone()), None)),
            ("size", [array, dim]) => self.exp(&Exp::Size(
                Box::new(array.clone()),
                Some(Box::new(dim.clone())),
            )),
            ("ndims", [array]) => {
                let rank = self.exp(array)?.dims.len();
                Ok(Value::scalar(self.graph.constant(rank as f64)))
            }
            ("fill", [value, dims @ ..]) => {
                let value = self.exp(value)?;
                let sizes = self.sizes(dims)?;
                let count: usize = sizes.iter().product();
                let items = value
                    .items
                    .iter()
                    .copied()
                    .cycle()
                    .take(count * value.items.len());
                Ok(Value {
                    items: items.collect(),
                    dims: sizes.into_iter().chain(value.dims).collect(),
                    record: value.record,
                })
            }
            ("zeros" | "ones", dims) => {
                let value = self.graph.constant(f64::from(name == "ones"));
                let dims = self.sizes(dims)?;
                let count = dims.iter().product();
                Ok(Value::new(dims, vec![value; count]))
            }
            ("identity", [n]) => {
                let n = self.number(n)? as usize;
                let one = self.graph.constant(1.0);
                self.diagonal(&vec![one; n])
            }
            ("diagonal", [vector]) => {
                let items = self.exp(vector)?.items;
                self.diagonal(&items)
            }
            ("linspace", [a, b, n]) => {
                let (a, b, n) = (self.scalar(a)?, self.scalar(b)?, self.number(n)?);
                let count = n as usize;
                let items = (0..count).map(|i| {
                    let part = self.graph.constant(i as f64 / (n - 1.0).max(1.0));
                    let way = self.graph.sub(b, a);
                    let way = self.graph.mul(way, part);
                    self.graph.add(a, way)
                });
                Ok(Value::new(vec![count], items.collect()))
            }
            ("transpose", [inner]) => {
                let value = self.exp(inner)?;
                let [rows, columns] = value.dims[..] else {
                    return Err("`transpose` of something that is no matrix".to_owned());
                };
                let order = (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j));
                let items = order.map(|i| value.items[i]).collect();
                Ok(Value::new(vec![columns, rows], items))
            }
            ("cross", [a, b]) => {
                let (a, b) = (self.exp(a)?.items, self.exp(b)?.items);
                if a.len() != 3 || b.len() != 3 {
                    return Err("`cross` of vectors that have not three elements".to_owned());
                }
                let items = (0..3).map(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let (x, y) = (self.graph.mul(a[j], b[k]), self.graph.mul(a[k], b[j]));
                    self.graph.sub(x, y)
                });
                Ok(Value::new(vec![3], items.collect()))
            }
            ("skew", [a]) => {
                let a = self.exp(a)?.items;
                let [x, y, z] = a[..] else {
                    return Err("`skew` of a vector that has not three elements".to_owned());
                };
                let zero = self.graph.constant(0.0);
                let (p, q, r) = (self.graph.neg(x), self.graph.neg(y), self.graph.neg(z));
                Ok(Value::new(
                    vec![3, 3],
                    vec![zero, r, y, z, zero, p, q, x, zero],
                ))
            }
            ("outerProduct", [a, b]) => {
                let (a, b) = (self.exp(a)?.items, self.exp(b)?.items);
                let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                let items: Vec<Reg> = pairs.map(|(x, y)| self.graph.mul(x, y)).collect();
                Ok(Value::new(vec![a.len(), b.len()], items))
            }
            ("symmetric", [inner]) => {
                let value = self.exp(inner)?;
                let [n, _] = value.dims[..] else {
                    return Err("`symmetric` of something that is no matrix".to_owned());
                };
                let items = (0..n * n).map(|k| {
                    let (i, j) = (k / n, k % n);
                    value.items[i.min(j) * n + i.max(j)]
                });
                Ok(Value::new(vec![n, n], items.collect()))
            }
            ("vector", [inner]) => {
                let value = self.exp(inner)?;
                Ok(Value::new(vec![value.items.len()], value.items))
            }
            ("scalar", [inner]) => {
                let reg = self.scalar(inner)?;
                Ok(Value::scalar(reg))
            }
            ("matrix", [inner]) => {
                let mut value = self.exp(inner)?;
                while value.dims.len() < 2 {
                    value.dims.push(1);
                }
                value.dims.truncate(2);
                Ok(value)
            }
            ("promote", [inner, n]) => {
                let mut value = self.exp(inner)?;
                let n = self.number(n)? as usize;
                while value.dims.len() < n {
                    value.dims.push(1);
                }
                Ok(value)
            }
            ("cat", [dim, parts @ ..]) => self.concatenate(dim, parts),
            ("array", parts) => self.exp(&Exp::Array(parts.to_vec(), ty.clone())),
            ("Integer" | "Real" | "Boolean", [inner]) => self.exp(inner),
            ("abs", [inner]) => self.each(inner, |this, reg| Ok(this.graph.unary(Unary::Abs, reg))),
            ("min" | "max" | "atan2", [a, b]) => {
                let op = Binary::named(name).unwrap_or(Binary::Min);
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                self.pairwise(&a, &b, |this, a, b| this.graph.binary(op, a, b))
            }
            (_, [a]) => {
                let op = Unary::named(name).filter(|op| *op != Unary::Not);
                let op = op.ok_or_else(|| format!("`{name}` is not supported here"))?;
                self.each(a, |this, reg| Ok(this.graph.unary(op, reg)))
            }
            _ => Err(format!("`{name}` is not supported here")),
        }
    }

    fn each(
        &mut self,
        inner: &FlatExp,
        mut f: impl FnMut(&mut Self, Reg) -> Result<Reg, Why>,
    ) -> Result<Value, Why> {
        let mut value = self.exp(inner)?;
        for item in &mut value.items {
            *item = f(self, *item)?;
        }
        Ok(value)
    }

    fn pairwise(
        &mut self,
        a: &Value,
        b: &Value,
        mut f: impl FnMut(&mut Self, Reg, Reg) -> Reg,
    ) -> Result<Value, Why> {
        let longer = if a.dims.is_empty() { b } else { a };
        let fits = |value: &Value| value.dims.is_empty() || value.dims == longer.dims;
        if !fits(a) || !fits(b) {
            return Err("arguments differ in size".to_owned());
        }
        let at = |value: &Value, i: usize| value.items[if value.dims.is_empty() { 0 } else { i }];
        let items = (0..longer.items.len()).map(|i| f(self, at(a, i), at(b, i)));
        Ok(Value {
            items: items.collect(),
            dims: longer.dims.clone(),
            record: longer.record.clone(),
        })
    }

    fn sizes(&mut self, dims: &[FlatExp]) -> Result<Vec<usize>, Why> {
        let sizes: Vec<usize> = dims
            .iter()
            .map(|dim| self.number(dim).map(|n| n.max(0.0) as usize))
            .collect::<Result<_, _>>()?;
        if sizes.iter().product::<usize>() > 1_000_000 {
            return Err("an array is too large".to_owned());
        }
        Ok(sizes)
    }

    fn diagonal(&mut self, items: &[Reg]) -> Result<Value, Why> {
        let n = items.len();
        let zero = self.graph.constant(0.0);
        let all = (0..n * n).map(|k| if k / n == k % n { items[k / n] } else { zero });
        Ok(Value::new(vec![n, n], all.collect()))
    }

    fn without_events(&mut self, inner: &FlatExp) -> Result<Value, Why> {
        let outer = std::mem::replace(&mut self.no_event, true);
        let value = self.exp(inner);
        self.no_event = outer;
        value
    }

    /// The left limit of variables.
    fn left_limit(&mut self, exp: &FlatExp) -> Result<Value, Why> {
        let outer = self.env.take();
        let value = self.left_limits(exp);
        self.env = outer;
        value
    }

    fn left_limits(&mut self, exp: &FlatExp) -> Result<Value, Why> {
        match exp {
            Exp::Cast(_, inner) => self.left_limits(inner),
            Exp::Array(items, ty) => {
                let parts: Vec<Value> = items
                    .iter()
                    .map(|i| self.left_limits(i))
                    .collect::<Result<_, _>>()?;
                let dims = super::value::known(ty.dims()).unwrap_or_else(|| vec![parts.len()]);
                Ok(Value::new(
                    dims,
                    parts.into_iter().flat_map(|p| p.items).collect(),
                ))
            }
            Exp::Ref(FlatRef::Var(id)) => self.left(id.index() as u32).map(Value::scalar),
            Exp::Ref(FlatRef::Group(id)) => {
                let mut value = self.group(*id)?;
                let members = self.flat.groups[*id].members.clone();
                for (item, member) in value.items.iter_mut().zip(members) {
                    *item = self.left(member.index() as u32)?;
                }
                Ok(value)
            }
            Exp::Ref(FlatRef::Element(id, subscripts)) => {
                let mut whole = self.open_group(*id, subscripts.len())?;
                let members = self.flat.groups[*id].members.clone();
                for (item, member) in whole.items.iter_mut().zip(members) {
                    *item = self.left(member.index() as u32)?;
                }
                self.select(&whole, subscripts)
            }
            Exp::Int(_) | Exp::Real(_) | Exp::Bool(_) | Exp::Enum(..) => self.exp(exp),
            _ => Err("`pre` of something that is no variable".to_owned()),
        }
    }

    pub(super) fn left(&mut self, v: u32) -> Result<Reg, Why> {
        match self.class_of(v) {
            Class::Constant | Class::Free | Class::Text => self.var(v),
            _ => {
                let (unknown, negative) = self.aliases.of(v);
                // The value itself has a slot, too.
                self.slot(Key::Var(unknown, 0));
                Ok(self.signed(Key::Pre(unknown), negative))
            }
        }
    }

    fn sample(&mut self, start: &FlatExp, interval: &FlatExp) -> Result<Value, Why> {
        let (start, interval) = (self.scalar(start)?, self.scalar(interval)?);
        for reg in [start, interval] {
            for slot in self.graph.slots_of(reg) {
                let free = matches!(self.slots.key(slot), Some(Key::Var(v, 0)) if self.class_of(v) == Class::Free);
                if !free {
                    return Err(
                        "`sample` with a start or an interval that changes with time".to_owned(),
                    );
                }
            }
        }
        let known = self.samples.iter();
        let known = known
            .clone()
            .find(|s| s.start == start && s.interval == interval);
        let slot = match known {
            Some(sample) => sample.slot,
            None => {
                let slot = self.slots.of(Key::Sample(self.samples.len() as u32));
                self.samples.push(Sample {
                    start,
                    interval,
                    slot,
                });
                slot
            }
        };
        Ok(Value::scalar(self.graph.input(slot)))
    }

    fn delay(
        &mut self,
        inner: &FlatExp,
        time: &FlatExp,
        most: Option<&FlatExp>,
    ) -> Result<Value, Why> {
        let (node, time) = (self.scalar(inner)?, self.scalar(time)?);
        let most = most.map(|most| self.number(most)).transpose()?;
        let out_of_range =
            |time: f64| !time.is_finite() || time < 0.0 || most.is_some_and(|most| time > most);
        match (self.graph.value(time), most) {
            (Some(time), _) if out_of_range(time) => {
                let most = most.map_or_else(String::new, |most| format!(" and at most {most}"));
                return Err(format!(
                    "the time of `delay` is {time}; it must be at least 0{most}"
                ));
            }
            (Some(0.0), _) => return Ok(Value::scalar(node)),
            (Some(_), _) => {}
            (None, Some(most)) if most > 0.0 && most.is_finite() => self.limit_delay(time, most),
            (None, Some(_)) => return Err("`delay` may last no time at most".to_owned()),
            (None, None) => {
                return Err(
                    "the time of `delay` changes; its longest value is needed, `delay(x, T, Tmax)`"
                        .to_owned(),
                );
            }
        }
        let known = self
            .delays
            .iter()
            .find(|d| d.node == node && d.time == time);
        let slot = match known {
            Some(delay) => delay.slot,
            None => {
                let slot = self.slots.of(Key::Delay(self.delays.len() as u32));
                self.delays.push(Delay {
                    node,
                    time,
                    most: most.unwrap_or(f64::INFINITY),
                    slot,
                });
                slot
            }
        };
        Ok(Value::scalar(self.graph.input(slot)))
    }

    /// A delay that changes stays in its range, or the run ends.
    fn limit_delay(&mut self, time: Reg, most: f64) {
        let [zero, most_reg] = [0.0, most].map(|limit| self.graph.constant(limit));
        let least = self.graph.compare(RelOp::GreaterEqual, time, zero);
        let end = self.graph.compare(RelOp::LessEqual, time, most_reg);
        let holds = self.and(least, end);
        if let Some(origin) = self.origin.clone() {
            self.assertions.push(Assertion {
                holds,
                message: format!("the time of `delay` is not between 0 and {most}"),
                text: None,
                warning: false,
                at_instants: false,
                origin,
            });
        }
    }

    /// `div`, `mod` and `rem` jump where the quotient is an integer.
    fn division(&mut self, name: &str, a: Reg, b: Reg) -> Reg {
        let direct = match name {
            "div" => Binary::Quotient,
            "mod" => Binary::Mod,
            _ => Binary::Rem,
        };
        let value = self.graph.binary(direct, a, b);
        if self.no_event || !self.moves(value) {
            return value;
        }
        let quotient = self.graph.div(a, b);
        let whole = match name {
            "mod" => self.round(Unary::Floor, quotient),
            _ => self.round(Unary::Trunc, quotient),
        };
        if name == "div" {
            return whole;
        }
        let gone = self.graph.mul(whole, b);
        self.graph.sub(a, gone)
    }

    fn concatenate(&mut self, dim: &FlatExp, parts: &[FlatExp]) -> Result<Value, Why> {
        let along = self.number(dim)? as usize;
        let parts: Vec<Value> = parts
            .iter()
            .map(|part| self.exp(part))
            .collect::<Result<_, _>>()?;
        let Some(first) = parts.first() else {
            return Err("`cat` of nothing".to_owned());
        };
        if along == 0 || parts.iter().any(|part| part.dims.len() < along) {
            return Err("`cat` along a dimension that is not there".to_owned());
        }
        let axis = along - 1;
        let mut dims = first.dims.clone();
        dims[axis] = parts.iter().map(|part| part.dims[axis]).sum();
        let outer: usize = dims[..axis].iter().product();
        let mut items = Vec::new();
        for i in 0..outer {
            for part in &parts {
                let size = part.items.len() / outer.max(1);
                items.extend(&part.items[i * size..(i + 1) * size]);
            }
        }
        Ok(Value {
            dims,
            items,
            record: first.record.clone(),
        })
    }
}
