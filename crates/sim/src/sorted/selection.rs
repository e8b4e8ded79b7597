//! Arrays of variables and what subscripts choose from them, at run time where they change.

use super::lower::{Lowering, Subscripted};
use super::value::{Value, Why, known, width};
use crate::tape::Reg;
use modeshift_base::FxHashSet;
use modeshift_flat::model::{FlatRef, GroupId};
use modeshift_inst::exp::{Exp, Subscript};
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::RelOp;

impl Lowering<'_> {
    pub fn group(&mut self, id: GroupId) -> Result<Value, Why> {
        let group = &self.flat.groups[id];
        // Where an element was chosen first, the type is that of the element.
        if let Some(&first) = group.members.first()
            && width(&group.ty) != Some(group.members.len())
        {
            let found = missing_subscripts(&group.name, &self.flat.variables[first].name);
            return self.open_group(id, found.len());
        }
        let items = group.members.iter();
        let items: Vec<Reg> = items
            .map(|member| self.var(member.index() as u32))
            .collect::<Result<_, _>>()?;
        Value::typed(&group.ty, items)
            .ok_or_else(|| format!("the size of `{}` is not known", group.name))
    }

    /// A group whose type is that of what `open` subscripts choose: its sizes follow from the names of its members.
    pub fn open_group(&mut self, id: GroupId, open: usize) -> Result<Value, Why> {
        let group = &self.flat.groups[id];
        let items = group.members.iter();
        let items: Vec<Reg> = items
            .map(|member| self.var(member.index() as u32))
            .collect::<Result<_, _>>()?;
        let unknown = || format!("the size of `{}` is not known", group.name);
        // Of `d[1:i]` the type says how many are chosen, which changes; the members are all of `d`.
        let ty = match width(&group.ty) {
            Some(_) => &group.ty,
            None => group.ty.element(),
        };
        let width = width(ty).ok_or_else(unknown)?;
        if width == items.len() && ty.rank() >= open {
            return Value::typed(ty, items).ok_or_else(unknown);
        }
        let mut different: Vec<FxHashSet<&str>> = Vec::new();
        for &member in &group.members {
            let found = missing_subscripts(&group.name, &self.flat.variables[member].name);
            different.resize(different.len().max(found.len()), FxHashSet::default());
            different
                .iter_mut()
                .zip(found)
                .for_each(|(set, subscript)| {
                    set.insert(subscript);
                });
        }
        let mut sizes: Vec<usize> = different.iter().map(FxHashSet::len).collect();
        sizes.truncate(open);
        if sizes.len() != open || sizes.iter().product::<usize>() * width != items.len() {
            return Err(unknown());
        }
        let record = match ty.element() {
            Type::Record(record) => Some(record.clone()),
            _ => None,
        };
        sizes.extend(known(ty.dims()).ok_or_else(unknown)?);
        Ok(Value {
            dims: sizes,
            items,
            record,
        })
    }

    /// Subscripts as they count in a group that has only the elements which those known beforehand choose: of
    /// `a[2, i]` such a group has the second row alone.
    pub(super) fn within(
        &self,
        id: GroupId,
        subscripts: &[Subscript<FlatRef>],
    ) -> Vec<Subscript<FlatRef>> {
        let group = &self.flat.groups[id];
        let members = group.members.iter();
        let found: Vec<Vec<&str>> = members
            .map(|&member| missing_subscripts(&group.name, &self.flat.variables[member].name))
            .collect();
        let is_only = |k: usize, index: i64| {
            let index = index.to_string();
            found
                .iter()
                .all(|list| list.get(k) == Some(&index.as_str()))
        };
        let numbered = subscripts.iter().enumerate();
        numbered
            .map(|(k, subscript)| match subscript {
                Subscript::Index(Exp::Int(index)) if is_only(k, *index) => {
                    Subscript::Index(Exp::Int(1))
                }
                other => other.clone(),
            })
            .collect()
    }

    /// Items chosen by subscripts; those that are not known choose at run time.
    pub fn select(
        &mut self,
        whole: &Value,
        subscripts: &[Subscript<FlatRef>],
    ) -> Result<Value, Why> {
        let width = whole.width();
        let Some((&size, rest)) = whole.dims.split_first() else {
            return if subscripts.is_empty() {
                Ok(whole.clone())
            } else {
                Err("a subscript of something that is no array".to_owned())
            };
        };
        let Some((first, more)) = subscripts.split_first() else {
            return Ok(whole.clone());
        };
        let stride = rest.iter().product::<usize>() * width;
        let slice = |i: usize| Value {
            dims: rest.to_vec(),
            items: whole.items[i * stride..(i + 1) * stride].to_vec(),
            record: whole.record.clone(),
        };
        let chosen: Vec<Reg> = match first {
            Subscript::All => (0..size)
                .map(|i| self.graph.constant((i + 1) as f64))
                .collect(),
            Subscript::Index(exp) => {
                let index = self.scalar(exp)?;
                let part = self.pick(index, size, &slice)?;
                return self.select(&part, more);
            }
            Subscript::Slice(exp) => self.exp(exp)?.items,
        };
        let mut dims = vec![chosen.len()];
        let mut items = Vec::new();
        let mut last = None;
        for index in chosen {
            let part = self.pick(index, size, &slice)?;
            let part = self.select(&part, more)?;
            items.extend(&part.items);
            last = Some(part);
        }
        match last {
            Some(part) => dims.extend(part.dims),
            None => dims.extend(rest),
        }
        Ok(Value {
            dims,
            items,
            record: whole.record.clone(),
        })
    }

    pub(super) fn pick(
        &mut self,
        index: Reg,
        size: usize,
        slice: &dyn Fn(usize) -> Value,
    ) -> Result<Value, Why> {
        if let Some(value) = self.graph.value(index) {
            if !(value >= 1.0 && value <= size as f64) {
                return Err(format!("the subscript {value} is not between 1 and {size}"));
            }
            return Ok(slice(value as usize - 1));
        }
        if size == 0 {
            return Err("a subscript of an empty array".to_owned());
        }
        self.noted(index, size);
        // Outside the bounds there is no value; what reads it ends the run, and a branch that is not taken is not read.
        let nothing = self.graph.constant(f64::NAN);
        let mut chosen = slice(size - 1);
        chosen.items.fill(nothing);
        for i in (0..size).rev() {
            let number = self.graph.constant((i + 1) as f64);
            let here = self.graph.compare(RelOp::Equal, index, number);
            for (item, other) in chosen.items.iter_mut().zip(slice(i).items) {
                *item = self.graph.select(here, other, *item);
            }
        }
        Ok(chosen)
    }

    /// Keeps a subscript in mind, for those who ask which one was out of its bounds.
    fn noted(&mut self, index: Reg, size: usize) {
        let origin = self.origin.clone();
        self.subscripts.push(Subscripted {
            index,
            size,
            origin,
        });
    }

    /// Whether a subscript is within its bounds.
    pub(super) fn bounded(&mut self, index: Reg, size: usize) -> Reg {
        if self.graph.value(index).is_none() {
            self.noted(index, size);
        }
        let (first, last) = (self.graph.constant(1.0), self.graph.constant(size as f64));
        let low = self.graph.compare(RelOp::GreaterEqual, index, first);
        let high = self.graph.compare(RelOp::LessEqual, index, last);
        self.and(low, high)
    }
}

/// The subscripts of a member that its group leaves open: `3` and `4` of `a[3].x[4]` in the group `a.x`.
fn missing_subscripts<'n>(pattern: &str, name: &'n str) -> Vec<&'n str> {
    let (pattern, bytes) = (pattern.as_bytes(), name.as_bytes());
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while j < bytes.len() {
        if i < pattern.len() && pattern[i] == bytes[j] {
            i += 1;
            j += 1;
        } else if bytes[j] == b'[' {
            let end = name[j..].find(']').map_or(name.len(), |k| j + k);
            found.extend(name.get(j + 1..end).unwrap_or_default().split(','));
            j = end + 1;
        } else {
            break;
        }
    }
    found
}
