//! Calls of functions whose author gave a derivative.
//!
//! Dual numbers would differentiate the code of the function, which is not its derivative where the code iterates. So the
//! function is run without the infinitely small step, and its derivative once for every direction in which something
//! moves. Where the restrictions of no annotation are met, a direction is followed by dual numbers after all.
//!
//! The first derivative that an annotation gives is held against a difference quotient. One that is clearly wrong is
//! told about and not used.

use super::{Base, Frame, Machine, Value};
use crate::array::Array;
use crate::context::{Context, Judgement, WarningKind};
use crate::derivative::Derivative;
use crate::error::Trouble;
use crate::ins::{Bank, Code, Slot};
use crate::num::Num;

/// Points at which a derivative is held against difference quotients, if those tell nothing.
const MAX_ATTEMPTS: u8 = 3;
/// Derivatives within derivatives; each takes room on the stack of the program itself.
const MAX_NESTED: usize = 30;

impl<R: Num> Machine<R> {
    /// Computes the results of the innermost call, whose parameters are set, if derivatives by annotation are needed for
    /// them. Then nothing is left to do but to return.
    pub(super) fn enter(
        &mut self,
        functions: &[Code],
        context: &mut Context,
    ) -> Result<(), Trouble> {
        let Some(&frame) = self.frames.last() else {
            return Ok(());
        };
        let code = &functions[frame.function as usize];
        if R::LAYERS == 0 || code.derivatives.is_empty() || self.nested >= MAX_NESTED {
            return Ok(());
        }
        for layer in (0..R::LAYERS).rev() {
            let chosen: Vec<Option<&Derivative>> = (0..R::lanes(layer))
                .map(|lane| self.choose(&frame, code, context, layer, lane))
                .collect();
            if chosen.iter().any(Option::is_some) {
                self.nested += 1;
                let right = self.annotated(functions, context, &frame, layer, &chosen)?;
                self.nested -= 1;
                if !right {
                    return self.enter(functions, context);
                }
                if let Some(frame) = self.frames.last_mut() {
                    // The last instruction is the return.
                    frame.pc = code.code.len() as u32 - 1;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// The derivative to be used in a direction.
    fn choose<'c>(
        &self,
        frame: &Frame,
        code: &'c Code,
        context: &Context,
        layer: usize,
        lane: usize,
    ) -> Option<&'c Derivative> {
        let base = frame.base;
        let dot = |k: u16| self.dots(base, code.params[usize::from(k)], layer, lane);
        let moves = |k: u16| dot(k).is_some_and(|dots| dots.iter().any(|dot| !dot.is_zero()));
        if !(0..code.params.len() as u16).any(moves) {
            return None;
        }
        // The derivative of one parameter is the value of another.
        let paired = |&(x, d): &(u16, u16)| {
            let values = self.reals_of(base, code.params[usize::from(d)]);
            match (dot(x), values) {
                (Some(dots), Some(values)) => {
                    let same = |(a, b): (&R, R)| a.sub(b.still(layer)).is_zero();
                    dots.len() == values.len() && dots.iter().zip(values).all(same)
                }
                _ => false,
            }
        };
        let wrong = |derivative: &Derivative| {
            let judged = context.judged.get(&(frame.function, derivative.function));
            judged == Some(&Judgement::Wrong)
        };
        // What is left out belongs together as time goes by, not when an argument is moved for itself.
        let in_time = context.times >> layer & 1 == 1;
        code.derivatives.iter().find(|derivative| {
            !wrong(derivative)
                && (in_time || !derivative.assumes)
                && !derivative.zero.iter().any(|&k| moves(k))
                && derivative.pairs.iter().all(paired)
        })
    }

    /// Whether all that was used is right.
    fn annotated(
        &mut self,
        functions: &[Code],
        context: &mut Context,
        frame: &Frame,
        layer: usize,
        chosen: &[Option<&Derivative>],
    ) -> Result<bool, Trouble> {
        let code = &functions[frame.function as usize];
        let args: Vec<Value<R>> = code
            .params
            .iter()
            .map(|&slot| self.get_at(frame.base, slot))
            .collect();
        let still: Vec<Value<R>> = args.iter().map(|arg| arg.map(|x| x.still(layer))).collect();
        // Directions without a derivative keep their steps.
        let partly = |x: R| {
            let lanes = chosen.iter().enumerate().filter(|(_, it)| it.is_some());
            lanes.fold(x, |x, (lane, _)| x.with_dot(layer, lane, R::of(0.0)))
        };
        let values = args.iter().map(|arg| arg.map(partly)).collect();
        let mut results = self.inner(functions, context, frame.function, values)?;
        for (lane, derivative) in chosen.iter().enumerate() {
            let Some(derivative) = derivative else {
                continue;
            };
            let target = &functions[derivative.function as usize];
            let mut given = still.clone();
            for (from, &slot) in derivative
                .given
                .iter()
                .zip(&target.params[code.params.len()..])
            {
                given.push(match from {
                    Some(from) => args[usize::from(*from)].map(|x| x.dot(layer, lane)),
                    None => Value::nothing(slot.0),
                });
            }
            let dots = self.inner(functions, context, derivative.function, given)?;
            let pair = (frame.function, *derivative);
            if !self.is_right(functions, context, pair, (&args, &dots), (layer, lane)) {
                return Ok(false);
            }
            for &(from, to) in &derivative.results {
                let (dot, result) = (&dots[usize::from(from)], &mut results[usize::from(to)]);
                result.take_dots(dot, layer, lane)?;
            }
        }
        for (value, &slot) in results.into_iter().zip(&code.results) {
            self.set_at(frame.base, slot, value);
        }
        Ok(true)
    }

    /// Holds a derivative against difference quotients along the same direction, if that was not done before.
    fn is_right(
        &mut self,
        functions: &[Code],
        context: &mut Context,
        (function, derivative): (u32, &Derivative),
        (args, dots): (&[Value<R>], &[Value<R>]),
        (layer, lane): (usize, usize),
    ) -> bool {
        let key = (function, derivative.function);
        let known = context.judged.get(&key).copied();
        let attempts = match known.unwrap_or(Judgement::Open(0)) {
            Judgement::Open(attempts) if attempts < MAX_ATTEMPTS => attempts,
            _ => return true,
        };
        // What inputs contribute whose derivatives are left out, or those of higher orders, cannot be told apart.
        if derivative.assumes || !derivative.pairs.is_empty() {
            return true;
        }
        context.judged.insert(key, Judgement::Open(attempts + 1));
        let size = |value: &Value<R>, f: &dyn Fn(R) -> f64| {
            value
                .numbers()
                .into_iter()
                .fold(0.0, |m: f64, x| m.max(f(x).abs()))
        };
        let largest =
            |f: &dyn Fn(R) -> f64| args.iter().fold(0.0, |m: f64, arg| m.max(size(arg, f)));
        let dot = |x: R| x.dot(layer, lane).value();
        let moves = |x: R| if dot(x) == 0.0 { 0.0 } else { x.value() };
        let step = 1e-5 * largest(&moves).max(1e-3) / largest(&dot);
        let mut quotient = |step: f64| -> Option<Vec<f64>> {
            let mut at = |step: f64| {
                let moved = args
                    .iter()
                    .map(|arg| arg.map(|x| R::of(x.value() + step * dot(x))));
                self.attempt(functions, context, function, moved.collect())
            };
            let (after, before) = (at(step)?, at(-step)?);
            let values = derivative.results.iter().flat_map(|&(_, result)| {
                let result = usize::from(result);
                after[result]
                    .numbers()
                    .into_iter()
                    .zip(before[result].numbers())
            });
            Some(
                values
                    .map(|(a, b)| (a.value() - b.value()) / (2.0 * step))
                    .collect(),
            )
        };
        let (Some(coarse), Some(fine)) = (quotient(step), quotient(step / 4.0)) else {
            return true;
        };
        let told = derivative
            .results
            .iter()
            .flat_map(|&(from, _)| dots[usize::from(from)].numbers());
        let told: Vec<f64> = told.map(|x| x.value()).collect();
        let scale = fine
            .iter()
            .chain(&told)
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        let apart = |a: &[f64], b: &[f64]| {
            let pairs = a.iter().zip(b);
            pairs.fold(0.0, |m: f64, (x, y)| m.max((x - y).abs())) / scale.max(f64::MIN_POSITIVE)
        };
        let doubt = apart(&coarse, &fine);
        // Where two quotients differ the function is rough here, or rounding errors are all there is.
        if told.len() != fine.len() || doubt.is_nan() || doubt > 1e-3 {
            return true;
        }
        let verdict = match apart(&told, &fine) > 0.02 {
            true => Judgement::Wrong,
            false => Judgement::Right,
        };
        context.judged.insert(key, verdict);
        if verdict == Judgement::Wrong {
            let name = |k: u32| &functions[k as usize].name;
            let at = (told.iter().zip(&fine))
                .position(|(x, y)| (x - y).abs() > 0.02 * scale)
                .unwrap_or(0);
            let message = format!(
                "`{}` is not the derivative of `{}`: it gives {:.6e} where a difference quotient is {:.6e}; it is not used",
                name(derivative.function),
                name(function),
                told[at],
                fine[at]
            );
            context.warn(WarningKind::Derivative, &message.into());
        }
        verdict == Judgement::Right
    }

    /// A call that may fail.
    fn attempt(
        &mut self,
        functions: &[Code],
        context: &mut Context,
        function: u32,
        args: Vec<Value<R>>,
    ) -> Option<Vec<Value<R>>> {
        let depth = self.frames.len();
        let result = self.inner(functions, context, function, args);
        while self.frames.len() > depth {
            self.leave(functions);
        }
        result.ok()
    }

    /// A call from within the machine.
    fn inner(
        &mut self,
        functions: &[Code],
        context: &mut Context,
        function: u32,
        args: Vec<Value<R>>,
    ) -> Result<Vec<Value<R>>, Trouble> {
        let base = self.call_window(functions, function)?;
        let code = &functions[function as usize];
        for (value, &slot) in args.into_iter().zip(&code.params) {
            self.set_at(base, slot, value);
        }
        self.frames.push(Frame {
            function,
            pc: 0,
            base,
            args: None,
            results: 0,
        });
        let floor = self.frames.len();
        self.enter(functions, context)?;
        self.go(functions, context, floor)?;
        let results = code.results.iter();
        let results = results.map(|&slot| self.get_at(base, slot)).collect();
        self.frames.pop();
        self.free[function as usize].push(base);
        Ok(results)
    }

    fn reals_of(&self, base: Base, (bank, reg): Slot) -> Option<Vec<R>> {
        let at = base[bank as usize] + usize::from(reg);
        match bank {
            Bank::Real => Some(vec![self.reals[at]]),
            Bank::Reals => Some(self.ra[at].data.clone()),
            _ => None,
        }
    }

    fn dots(&self, base: Base, slot: Slot, layer: usize, lane: usize) -> Option<Vec<R>> {
        let values = self.reals_of(base, slot)?;
        Some(values.into_iter().map(|x| x.dot(layer, lane)).collect())
    }

    fn get_at(&self, base: Base, (bank, reg): Slot) -> Value<R> {
        let at = base[bank as usize] + usize::from(reg);
        match bank {
            Bank::Real => Value::Real(self.reals[at]),
            Bank::Int => Value::Int(self.ints[at]),
            Bank::Str => Value::Str(self.strs[at].clone()),
            Bank::Reals => Value::Reals(self.ra[at].clone()),
            Bank::Ints => Value::Ints(self.ia[at].clone()),
            Bank::Strs => Value::Strs(self.sa[at].clone()),
            Bank::Function => Value::Function(self.functions[at].clone()),
        }
    }
}

impl<R: Num> Value<R> {
    fn nothing(bank: Bank) -> Self {
        match bank {
            Bank::Real => Self::Real(R::of(0.0)),
            Bank::Int => Self::Int(0),
            Bank::Str => Self::Str("".into()),
            Bank::Reals => Self::Reals(Array::default()),
            Bank::Ints => Self::Ints(Array::default()),
            Bank::Strs => Self::Strs(Array::default()),
            Bank::Function => Self::Function(None),
        }
    }

    /// The Reals in it.
    fn numbers(&self) -> Vec<R> {
        match self {
            Self::Real(x) => vec![*x],
            Self::Reals(array) => array.data.clone(),
            _ => Vec::new(),
        }
    }

    /// With every Real replaced.
    fn map(&self, f: impl Fn(R) -> R) -> Self {
        match self {
            Self::Real(x) => Self::Real(f(*x)),
            Self::Reals(array) => Self::Reals(Array {
                dims: array.dims.clone(),
                data: array.data.iter().map(|&x| f(x)).collect(),
            }),
            other => other.clone(),
        }
    }

    fn take_dots(&mut self, dots: &Self, layer: usize, lane: usize) -> Result<(), Trouble> {
        match (self, dots) {
            (Self::Real(x), Self::Real(dot)) => *x = x.with_dot(layer, lane, *dot),
            (Self::Reals(own), Self::Reals(dots)) => {
                if own.dims != dots.dims {
                    return Err(Trouble::Sizes(own.dims.clone(), dots.dims.clone()));
                }
                for (x, dot) in own.data.iter_mut().zip(&dots.data) {
                    *x = x.with_dot(layer, lane, *dot);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
