//! `spatialDistribution`: what flows through a pipe of length 1.
//!
//! The content moves with `x`. A particle that enters at the left end (`y = 0`) when `x = c` is at `y = x - c` later on, and
//! one that enters at the right end has `c = x - 1`. So the content is a function of `c`, and the ends read it at `x` and
//! `x - 1`. Where something enters, the other value comes straight from the input.

use super::lower::Lowering;
use super::machine::Machine;
use super::slots::{INITIAL, Key};
use super::value::Why;
use crate::delay::{Point, interpolate};
use crate::tape::{Program, Reg};
use modeshift_flat::model::FlatExp;
use std::collections::VecDeque;

/// A call of the operator.
#[derive(Clone, Debug)]
pub struct Transport {
    /// Both inputs, `x`, and whether the content moves to the right.
    pub nodes: [Reg; 4],
    /// What comes out at the left and at the right end.
    pub slots: [u32; 2],
    /// Positions and values at the start.
    pub first: Vec<(f64, f64)>,
}

/// A pipe with its content.
#[derive(Clone, Debug)]
pub struct Pipe {
    program: Program,
    slots: [u32; 2],
    first: Vec<(f64, f64)>,
    /// From the right end to the left one, by `c`.
    content: VecDeque<Point>,
}

impl Lowering<'_> {
    /// What comes out at both ends.
    pub(super) fn spatial_distribution(&mut self, args: &[FlatExp]) -> Result<[Reg; 2], Why> {
        let [in0, in1, x, positive, rest @ ..] = args else {
            return Err("`spatialDistribution` needs at least four arguments".to_owned());
        };
        let mut nodes = [0; 4];
        for (node, exp) in nodes.iter_mut().zip([in0, in1, x, positive]) {
            *node = self.scalar(exp)?;
        }
        let mut numbers = |exp: Option<&FlatExp>, default: [f64; 2]| -> Result<Vec<f64>, Why> {
            let Some(exp) = exp else {
                return Ok(default.to_vec());
            };
            let items = self.exp(exp)?.items.into_iter();
            let values = items.map(|item| self.graph.value(item));
            values.collect::<Option<_>>().ok_or_else(|| {
                "the initial points of `spatialDistribution` are no constants".to_owned()
            })
        };
        let points = numbers(rest.first(), [0.0, 1.0])?;
        let values = numbers(rest.get(1), [0.0, 0.0])?;
        let rising = points.windows(2).all(|pair| pair[0] <= pair[1]);
        let whole = points.first() == Some(&0.0) && points.last() == Some(&1.0);
        if points.len() != values.len() || !rising || !whole {
            return Err(
                "the initial points of `spatialDistribution` must rise from 0 to 1, with a value for each"
                    .to_owned(),
            );
        }
        let first: Vec<(f64, f64)> = points.into_iter().zip(values).collect();
        let ends = [first[0].1, first[first.len() - 1].1];
        let slots = [0, 1].map(|end| {
            let number = 2 * self.transports.len() as u32 + end;
            self.slots.of(Key::Transport(number))
        });
        self.transports.push(Transport {
            nodes,
            slots,
            first,
        });
        let initial = self.graph.input(INITIAL);
        let [left, right] = [0, 1].map(|end| {
            let (start, later) = (self.graph.constant(ends[end]), self.graph.input(slots[end]));
            self.graph.select(initial, start, later)
        });
        let [in0, in1, _, positive] = nodes;
        Ok([
            self.graph.select(positive, in0, left),
            self.graph.select(positive, right, in1),
        ])
    }
}

impl Pipe {
    pub fn new(program: Program, transport: &Transport) -> Self {
        Self {
            program,
            slots: transport.slots,
            first: transport.first.clone(),
            content: VecDeque::new(),
        }
    }

    pub fn slots(&self) -> impl Iterator<Item = u32> + use<> {
        self.slots.into_iter()
    }

    fn at(&self, c: f64) -> f64 {
        let next = self.content.partition_point(|point| point.t <= c);
        let from = next
            .saturating_sub(2)
            .min(self.content.len().saturating_sub(4));
        let near: Vec<Point> = self.content.range(from..).take(4).copied().collect();
        interpolate(&near, c)
    }

    /// At the same place in the same stretch the last value counts.
    fn enter(&mut self, point: Point, right: bool) {
        if right {
            while self.content.back().is_some_and(|it| it.t > point.t) {
                self.content.pop_back();
            }
            match self.content.back_mut() {
                Some(last) if last.t == point.t && last.stretch == point.stretch => *last = point,
                _ => self.content.push_back(point),
            }
            while self.content.len() > 4 && self.content[2].t < point.t - 1.0 {
                self.content.pop_front();
            }
        } else {
            while self.content.front().is_some_and(|it| it.t < point.t) {
                self.content.pop_front();
            }
            match self.content.front_mut() {
                Some(last) if last.t == point.t && last.stretch == point.stretch => *last = point,
                _ => self.content.push_front(point),
            }
            while self.content.len() > 4 && self.content[self.content.len() - 3].t > point.t + 1.0 {
                self.content.pop_back();
            }
        }
    }
}

/// The content at the start, by `c`: pieces of straight lines, each a stretch of its own, so that nothing is bent between
/// them or into what enters later.
fn profile(first: &[(f64, f64)], x: f64) -> VecDeque<Point> {
    let pieces = first.windows(2).rev().enumerate();
    let points = pieces.flat_map(|(i, ends)| {
        let stretch = usize::MAX - i;
        let point = move |&(y, value): &(f64, f64)| Point {
            t: x - y,
            value,
            stretch,
        };
        [point(&ends[1]), point(&ends[0])]
    });
    points.collect()
}

impl Machine<'_> {
    /// The content at the start.
    pub(super) fn fill_pipes(&mut self) {
        for pipe in &mut self.pipes {
            pipe.program.run(&self.values, &mut self.scratch.work);
            let x = pipe.program.output(&self.scratch.work, 2);
            pipe.content = profile(&pipe.first, x);
        }
        self.pipe_ends();
    }

    /// What comes out at the ends now; whether it was not there yet.
    pub(super) fn pipe_ends(&mut self) -> bool {
        let mut moved = false;
        for pipe in &self.pipes {
            pipe.program.run(&self.values, &mut self.scratch.work);
            let x = pipe.program.output(&self.scratch.work, 2);
            for (slot, c) in pipe.slots.into_iter().zip([x, x - 1.0]) {
                let (known, value) = (&mut self.values[slot as usize], pipe.at(c));
                moved |= (*known - value).abs() > 8.0 * f64::EPSILON * known.abs().max(value.abs());
                *known = value;
            }
        }
        moved
    }

    /// What enters now becomes content.
    pub(super) fn fill_on(&mut self, stretch: usize) {
        for pipe in &mut self.pipes {
            let work = &mut self.scratch.work;
            pipe.program.run(&self.values, work);
            let [in0, in1, x, positive] = [0, 1, 2, 3].map(|i| pipe.program.output(work, i));
            let right = positive != 0.0;
            let (t, value) = if right { (x, in0) } else { (x - 1.0, in1) };
            pipe.enter(Point { t, value, stretch }, right);
        }
    }
}
