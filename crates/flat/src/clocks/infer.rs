//! Intervals and shifts of all sub-clocks, from what is given (Modelica 3.6 §16.7.5).
//!
//! Everything is told in exact fractions of a unit: seconds where clocks are rational, else the interval of the one
//! clock that the base clock has.

use super::Work;
use super::partition::Partitions;
use super::rational::Rational;
use super::stand_in::{Edge, Source};
use crate::model::Place;
use modeshift_base::FxIndexMap;
use modeshift_diag::{Code, Diagnostic};

/// What a base clock is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Base {
    /// The unit is a second.
    Seconds,
    /// The unit is this clock's interval.
    Of(Source),
}

/// The clock of a class.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SubClock {
    pub(super) base: Base,
    /// The root of the base clock, the same for all its sub-clocks.
    pub(super) root: usize,
    pub(super) interval: Rational,
    pub(super) shift: Rational,
}

/// Ticks at `shift`, `shift + interval`, `shift + 2 * interval`, …
#[derive(Clone, Copy, PartialEq, Debug)]
struct Grid {
    interval: Rational,
    shift: Rational,
}

impl Grid {
    /// The ticks of a conversion from those of its argument. `None` where numbers get too large.
    fn through(self, factor: Rational, shift: Rational) -> Option<Self> {
        Some(Self {
            interval: self.interval.times(factor)?,
            shift: self.shift.plus(shift.times(self.interval)?)?,
        })
    }

    /// The ticks of the argument from those of the conversion.
    fn back(self, factor: Rational, shift: Rational) -> Option<Self> {
        let interval = self.interval.over(factor)?;
        Some(Self {
            interval,
            shift: self.shift.minus(shift.times(interval)?)?,
        })
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an interval of {} from {}", self.interval, self.shift)
    }
}

#[derive(Clone, Copy)]
struct Known {
    grid: Grid,
    why: Place,
}

impl Work {
    /// The sub-clock of each class; `None` after an error.
    pub(super) fn infer(&mut self, partitions: &Partitions) -> Vec<Option<SubClock>> {
        let mut out = vec![None; partitions.classes.len()];
        let mut bases: FxIndexMap<usize, Vec<usize>> = FxIndexMap::default();
        for (number, class) in partitions.classes.iter().enumerate() {
            bases.entry(class.base).or_default().push(number);
        }
        for (root, members) in bases {
            // Clock variables that nothing is computed on need no clock.
            let idle = members.iter().all(|&it| {
                let class = &partitions.classes[it];
                let values = class
                    .variables
                    .iter()
                    .any(|id| self.model.variables[*id].ty != modeshift_inst::ty::Type::Clock);
                !values && class.items.iter().all(|&item| self.is_between_clocks(item))
            });
            if let Some(found) = self.infer_base(root, &members, partitions, idle) {
                for (class, clock) in found {
                    out[class] = Some(clock);
                }
            }
        }
        out
    }

    fn infer_base(
        &mut self,
        root: usize,
        members: &[usize],
        partitions: &Partitions,
        idle: bool,
    ) -> Option<Vec<(usize, SubClock)>> {
        let classes = &partitions.classes;
        let sources: Vec<(usize, &Source, Place)> = members
            .iter()
            .flat_map(|&it| classes[it].sources.iter().map(move |(s, p)| (it, s, *p)))
            .collect();
        let other = sources
            .iter()
            .find(|(_, source, _)| !matches!(source, Source::Rational(_)));
        if let (Some(&(_, _, place)), true) = (other, sources.len() > 1) {
            let second = sources
                .iter()
                .find(|it| it.2 != place)
                .unwrap_or(&sources[0]);
            let diagnostic = Diagnostic::new(
                Code::MS2070,
                "variables that are computed together have two clocks that cannot be compared",
            )
            .label(second.2, "one clock")
            .label(place, "another one")
            .note("Besides clocks of whole numbers, `Clock(counter, resolution)`, there is one clock for all: share a variable of type `Clock`.");
            self.diagnostics.push(diagnostic);
            return None;
        }
        let mut known: FxIndexMap<usize, Known> = FxIndexMap::default();
        let mut queue = Vec::new();
        for &(class, source, place) in &sources {
            let interval = match source {
                Source::Rational(interval) => *interval,
                _ => Rational::ONE,
            };
            let shift = Rational::ZERO;
            let here = Known {
                grid: Grid { interval, shift },
                why: place,
            };
            self.settle(&mut known, &mut queue, class, here)?;
        }
        let mut default = false;
        if sources.is_empty() {
            default = true;
            let here = Known {
                grid: Grid {
                    interval: Rational::ONE,
                    shift: Rational::ZERO,
                },
                why: self.place_of(&classes[members[0]]),
            };
            self.settle(&mut known, &mut queue, members[0], here)?;
        }
        while let Some(class) = queue.pop() {
            let here = known[&class];
            for &link in &partitions.links_of[class] {
                let link = &partitions.links[link];
                let Edge::Affine { factor, shift } = link.edge else {
                    continue;
                };
                let (next, grid) = if link.from == class {
                    (link.to, here.grid.through(factor, shift))
                } else {
                    (link.from, here.grid.back(factor, shift))
                };
                let Some(grid) = grid else {
                    self.diagnostics.push(
                        Diagnostic::new(Code::MS2073, "the factors of these clocks are too large")
                            .label(link.place, "used here"),
                    );
                    return None;
                };
                let why = link.place;
                self.settle(&mut known, &mut queue, next, Known { grid, why })?;
            }
        }
        if let Some(&lost) = members.iter().find(|it| !known.contains_key(*it)) {
            if !idle {
                let diagnostic = Diagnostic::new(
                    Code::MS2071,
                    "no clock can be found for a part of the model",
                )
                .label(self.place_of(&classes[lost]), "this is clocked")
                .note("Give it a clock, or the factor of the conversion that leads to it.");
                self.diagnostics.push(diagnostic);
            }
            return None;
        }
        if default {
            if idle {
                return None;
            }
            self.normalise(&mut known, members, partitions);
        }
        self.check_links(&known, partitions)?;
        let base = match other {
            Some((_, source, _)) => Base::Of((*source).clone()),
            None => Base::Seconds,
        };
        let ticks_only = matches!(
            base,
            Base::Of(Source::Varying { .. } | Source::Event { .. })
        );
        let mut out = Vec::new();
        for &class in members {
            let Known { grid, why } = known[&class];
            let between = grid.interval.whole().is_none() || grid.shift.whole().is_none();
            if grid.shift.is_negative() {
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::MS2073,
                        "a clock ticks before the clock it is made from",
                    )
                    .label(why, "made here"),
                );
                return None;
            }
            if ticks_only && between {
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::MS2073,
                        "a clock ticks between the ticks of a clock whose next tick is not known",
                    )
                    .label(why, "made here")
                    .note("Clocks with events or changing intervals can be made slower, but not faster."),
                );
                return None;
            }
            let clock = SubClock {
                base: base.clone(),
                root,
                interval: grid.interval,
                shift: grid.shift,
            };
            out.push((class, clock));
        }
        Some(out)
    }

    fn settle(
        &mut self,
        known: &mut FxIndexMap<usize, Known>,
        queue: &mut Vec<usize>,
        class: usize,
        here: Known,
    ) -> Option<()> {
        match known.get(&class) {
            None => {
                known.insert(class, here);
                queue.push(class);
                Some(())
            }
            Some(there) if there.grid == here.grid => Some(()),
            Some(there) => {
                let tell = |it: &Known| it.grid.to_string();
                let diagnostic =
                    Diagnostic::new(Code::MS2070, "two clocks contradict each other")
                        .label(here.why, tell(&here))
                        .label(there.why, tell(there))
                        .note("Variables of one equation have the same clock; conversions such as `subSample` lead to others.");
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Without a clock that is given, the fastest one ticks every second from the start on.
    fn normalise(
        &mut self,
        known: &mut FxIndexMap<usize, Known>,
        members: &[usize],
        partitions: &Partitions,
    ) {
        let fastest = known.values().map(|it| it.grid.interval);
        let fastest = fastest.reduce(|a, b| if b < a { b } else { a });
        let first = known.values().map(|it| it.grid.shift);
        let first = first.reduce(|a, b| if b < a { b } else { a });
        if let (Some(fastest), Some(first)) = (fastest, first) {
            for it in known.values_mut().map(|it| &mut it.grid) {
                let shift = it.shift.minus(first).and_then(|shift| shift.over(fastest));
                it.shift = shift.unwrap_or(Rational::ZERO);
                it.interval = it.interval.over(fastest).unwrap_or(Rational::ONE);
            }
        }
        let place = self.place_of(&partitions.classes[members[0]]);
        self.diagnostics.push(
            Diagnostic::new(Code::MS2074, "no clock is given: it ticks every second")
                .label(place, "this is clocked"),
        );
    }

    /// Factors that were to be found must be whole numbers.
    fn check_links(
        &mut self,
        known: &FxIndexMap<usize, Known>,
        partitions: &Partitions,
    ) -> Option<()> {
        for link in &partitions.links {
            let (Some(from), Some(to)) = (known.get(&link.from), known.get(&link.to)) else {
                continue;
            };
            let factor = match link.edge {
                Edge::Slower => to.grid.interval.over(from.grid.interval),
                Edge::Faster => from.grid.interval.over(to.grid.interval),
                Edge::Affine { .. } | Edge::Free => continue,
            };
            let whole = factor.and_then(Rational::whole).filter(|it| *it >= 1);
            if whole.is_none() || from.grid.shift != to.grid.shift {
                let diagnostic = Diagnostic::new(
                    Code::MS2070,
                    "two clocks differ by something other than a whole factor",
                )
                .label(link.place, "the factor is to be found here")
                .label(from.why, from.grid.to_string())
                .label(to.why, to.grid.to_string());
                self.diagnostics.push(diagnostic);
                return None;
            }
        }
        Some(())
    }

    fn place_of(&self, class: &super::partition::Class) -> Place {
        // An equation tells more than a variable of our own.
        match class.items.first() {
            Some(&item) => self.items[item].origin.span,
            None => self.model.variables[class.variables[0]].origin.span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Rational};
    use proptest::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Conversion {
        Sub(i64),
        Super(i64),
        Shift(i64, i64),
        Back(i64, i64),
    }

    fn rational(a: i64, b: i64) -> Rational {
        Rational::new(i128::from(a), i128::from(b)).unwrap()
    }

    /// Ticks one by one, as the specification defines the operators.
    fn convert(ticks: &[Rational], by: Conversion) -> Option<Vec<Rational>> {
        match by {
            Conversion::Sub(factor) => {
                Some(ticks.iter().copied().step_by(factor as usize).collect())
            }
            Conversion::Super(factor) => Some(
                ticks
                    .windows(2)
                    .flat_map(|pair| {
                        let (from, to) = (pair[0], pair[1]);
                        (0..factor).map(move |i| {
                            let part = to.minus(from).unwrap().times(rational(i, factor)).unwrap();
                            from.plus(part).unwrap()
                        })
                    })
                    .collect(),
            ),
            Conversion::Shift(counter, resolution) => {
                let fine = convert(ticks, Conversion::Super(resolution))?;
                let later: Vec<Rational> = fine.into_iter().skip(counter as usize).collect();
                convert(&later, Conversion::Sub(resolution))
            }
            // The clock whose shift is the one given: it begins earlier by the same fraction of an interval.
            Conversion::Back(counter, resolution) => {
                let interval = ticks.get(1)?.minus(ticks[0]).unwrap();
                let earlier = interval.times(rational(counter, resolution)).unwrap();
                let moved: Vec<Rational> =
                    ticks.iter().map(|it| it.minus(earlier).unwrap()).collect();
                let again = convert(&moved, Conversion::Shift(counter, resolution))?;
                assert!(again.iter().zip(ticks).all(|(a, b)| a == b));
                Some(moved)
            }
        }
    }

    fn conversion() -> impl Strategy<Value = Conversion> {
        prop_oneof![
            (1..5i64).prop_map(Conversion::Sub),
            (1..5i64).prop_map(Conversion::Super),
            (0..4i64, 1..4i64).prop_map(|(k, r)| Conversion::Shift(k, r)),
            (0..4i64, 1..4i64).prop_map(|(k, r)| Conversion::Back(k, r)),
        ]
    }

    proptest! {
        #[test]
        fn grids_are_the_ticks_one_by_one(
            counter in 1..20i64,
            resolution in 1..20i64,
            conversions in proptest::collection::vec(conversion(), 0..5),
        ) {
            let interval = rational(counter, resolution);
            let mut grid = Grid { interval, shift: Rational::ZERO };
            let mut ticks: Vec<Rational> =
                (0..400).map(|i| interval.times(Rational::integer(i)).unwrap()).collect();
            for by in conversions {
                let (factor, shift) = match by {
                    Conversion::Sub(factor) => (Rational::integer(factor), Rational::ZERO),
                    Conversion::Super(factor) => (rational(1, factor), Rational::ZERO),
                    Conversion::Shift(k, r) => (Rational::ONE, rational(k, r)),
                    Conversion::Back(k, r) => (Rational::ONE, rational(-k, r)),
                };
                let next = grid.through(factor, shift).unwrap();
                prop_assert_eq!(next.back(factor, shift), Some(grid));
                grid = next;
                let Some(all) = convert(&ticks, by) else { break };
                if all.len() < 3 {
                    break;
                }
                ticks = all;
                ticks.truncate(400);
                for (number, tick) in ticks.iter().enumerate() {
                    let expected = grid.interval.times(Rational::integer(number as i64)).unwrap();
                    prop_assert_eq!(*tick, grid.shift.plus(expected).unwrap());
                }
            }
        }
    }
}
