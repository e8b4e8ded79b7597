//! Instants given beforehand: `sample(start, interval)`.

use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, ModeDef, ModeId};
use modeshift_mdae::sym::{Kind, ParamId, evaluate};
use modeshift_restart::numeric::Numbers;

#[derive(Clone, Copy, Debug)]
struct Sample {
    mode: ModeId,
    start: f64,
    interval: f64,
    /// How many instants are over.
    passed: f64,
}

impl Sample {
    fn next(&self) -> f64 {
        self.start + self.passed * self.interval
    }
}

/// The sampled instants of a model.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    list: Vec<Sample>,
}

impl Samples {
    /// The instants from `time` on. Samples without a positive interval never happen.
    pub fn new(mdae: &MDae, params: &FxHashMap<ParamId, f64>, time: f64) -> Self {
        let numbers = Numbers {
            params: params.clone(),
            ..Numbers::default()
        };
        let mut list = Vec::new();
        for (mode, variable) in mdae.modes.iter_enumerated() {
            let ModeDef::Pulse(call) = &variable.def else {
                continue;
            };
            let Kind::Call(_, args) = call.kind() else {
                continue;
            };
            let number = |i: usize| args.get(i).and_then(|arg| evaluate(arg, &numbers).ok());
            if let (Some(start), Some(interval)) = (number(0), number(1))
                && f64::is_finite(start)
                && interval > 0.0
            {
                let passed = f64::max(0.0, ((time - start) / interval).ceil());
                list.push(Sample {
                    mode,
                    start,
                    interval,
                    passed,
                });
            }
        }
        Self { list }
    }

    /// The next instant and who is due.
    pub fn next(&self) -> Option<(f64, Vec<ModeId>)> {
        let at = self
            .list
            .iter()
            .map(Sample::next)
            .fold(f64::INFINITY, f64::min);
        if !at.is_finite() {
            return None;
        }
        let due = self.list.iter().filter(|sample| is_same(sample.next(), at));
        Some((at, due.map(|sample| sample.mode).collect()))
    }

    /// The instants up to `time` are over.
    pub fn pass(&mut self, time: f64) {
        for sample in &mut self.list {
            while sample.next() <= time || is_same(sample.next(), time) {
                sample.passed += 1.0;
            }
        }
    }
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs())
}

#[cfg(test)]
mod tests {
    use super::{Sample, Samples};
    use modeshift_base::Idx;

    #[test]
    fn samples_with_a_common_instant_are_due_together() {
        let sample = |mode, interval| Sample {
            mode: Idx::new(mode),
            start: 0.0,
            interval,
            passed: 0.0,
        };
        let mut samples = Samples {
            list: vec![sample(0, 0.1), sample(1, 0.3)],
        };
        let mut both = 0;
        for _ in 0..31 {
            let (at, due) = samples.next().unwrap();
            both += usize::from(due.len() == 2);
            samples.pass(at);
        }
        assert_eq!(both, 11);
        assert!((samples.next().unwrap().0 - 3.1).abs() < 1e-12);
    }
}
