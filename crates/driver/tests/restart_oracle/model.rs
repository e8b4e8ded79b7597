//! Random linear models with modes: as Modelica, and as matrices.

use super::pencil::{Matrix, Vector, consistent, independent, kernel, zero, zeros};
use modeshift_mdae::sym::Rational;
use std::fmt::Write as _;

/// A small deterministic generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A number that is not zero.
    pub fn factor(&mut self) -> i64 {
        let value = 1 + self.below(4) as i64;
        if self.chance(40) { -value } else { value }
    }
}

/// `Σ rates·x' + Σ values·x + constant + slope·time + input·u = 0`.
#[derive(Clone, Default)]
pub struct Equation {
    pub rates: Vec<(usize, i64)>,
    pub values: Vec<(usize, i64)>,
    pub constant: i64,
    pub slope: i64,
    pub input: i64,
}

/// An equation, or two of them and the condition that chooses.
pub enum Guarded {
    Always(Equation),
    If(usize, Equation, Equation),
}

/// What a condition is.
pub enum Condition {
    Input,
    /// `Σ a·pre(x) <= bound`
    Crossing(Vec<(usize, i64)>, i64),
}

/// `when g then reinit(x, constant + factor·pre(y))`.
pub struct Reinit {
    pub condition: usize,
    pub target: usize,
    pub source: usize,
    pub factor: i64,
    pub constant: i64,
}

pub struct Model {
    pub n: usize,
    pub equations: Vec<Guarded>,
    pub conditions: Vec<Condition>,
    pub reinit: Option<Reinit>,
    pub has_input: bool,
}

impl Model {
    pub fn random(random: &mut Random) -> Self {
        let n = 2 + random.below(7) as usize;
        let n_conditions = 1 + random.below(3) as usize;
        let has_input = random.chance(15);
        let mut conditions = Vec::new();
        for _ in 0..n_conditions {
            conditions.push(if random.chance(45) {
                let first = random.below(n as u64) as usize;
                let mut terms = vec![(first, random.factor())];
                let second = random.below(n as u64) as usize;
                if random.chance(30) && second != first {
                    terms.push((second, random.factor()));
                }
                Condition::Crossing(terms, random.below(5) as i64 - 2)
            } else {
                Condition::Input
            });
        }
        let mut equations = Vec::new();
        let mut used = vec![false; n_conditions];
        for i in 0..n {
            let forced = used
                .iter()
                .position(|u| !u)
                .filter(|_| n - i <= n_conditions);
            if let Some(condition) = forced.or_else(|| {
                random
                    .chance(30)
                    .then(|| random.below(n_conditions as u64) as usize)
            }) {
                used[condition] = true;
                let constrained = Self::constraint(random, n, &conditions[condition], has_input);
                let free = Self::own(random, n, i, has_input);
                equations.push(Guarded::If(condition, constrained, free));
            } else {
                equations.push(Guarded::Always(Self::own(random, n, i, has_input)));
            }
        }
        let reinit = random.chance(12).then(|| Reinit {
            condition: random.below(n_conditions as u64) as usize,
            target: random.below(n as u64) as usize,
            source: random.below(n as u64) as usize,
            factor: random.factor(),
            constant: random.below(5) as i64 - 2,
        });
        Self {
            n,
            equations,
            conditions,
            reinit,
            has_input,
        }
    }

    fn other(random: &mut Random, n: usize, not: usize) -> usize {
        let other = random.below(n as u64 - 1) as usize;
        other + usize::from(other >= not)
    }

    fn decorated(mut equation: Equation, random: &mut Random, has_input: bool) -> Equation {
        if random.chance(35) {
            equation.constant = random.factor();
        }
        if random.chance(15) {
            equation.slope = random.factor();
        }
        if has_input && random.chance(40) {
            equation.input = random.factor();
        }
        equation
    }

    /// An equation that has to do with `x_i`.
    fn own(random: &mut Random, n: usize, i: usize, has_input: bool) -> Equation {
        let mut equation = Equation::default();
        match random.below(10) {
            // Kinematics with a ratio.
            0..=3 => {
                equation.rates.push((i, 1));
                let ratio = if random.chance(50) {
                    -1
                } else {
                    random.factor()
                };
                equation.values.push((Self::other(random, n, i), ratio));
                return equation;
            }
            // Dynamics.
            4..=6 => {
                equation.rates.push((i, random.factor()));
                if random.chance(20) {
                    equation
                        .rates
                        .push((Self::other(random, n, i), random.factor()));
                }
                for j in 0..n {
                    if random.chance(35) {
                        equation.values.push((j, random.factor()));
                    }
                }
            }
            // Algebraic.
            7 => {
                equation.values.push((i, 1));
                if random.chance(50) {
                    equation.constant = random.factor();
                    return equation;
                }
                equation
                    .values
                    .push((Self::other(random, n, i), random.factor()));
            }
            _ => {
                equation.values.push((i, random.factor()));
                for j in 0..n {
                    if j != i && random.chance(30) {
                        equation.values.push((j, random.factor()));
                    }
                }
            }
        }
        Self::decorated(equation, random, has_input)
    }

    /// What a mode may ask for: mostly a constraint on one or two variables, often that of its own crossing.
    fn constraint(
        random: &mut Random,
        n: usize,
        condition: &Condition,
        has_input: bool,
    ) -> Equation {
        let mut equation = Equation::default();
        if let Condition::Crossing(terms, bound) = condition
            && random.chance(60)
        {
            equation.values.clone_from(terms);
            equation.constant = -bound;
            return equation;
        }
        let first = random.below(n as u64) as usize;
        equation.values.push((first, random.factor()));
        if random.chance(50) {
            equation
                .values
                .push((Self::other(random, n, first), random.factor()));
        }
        if random.chance(10) {
            equation.rates.push((first, random.factor()));
        }
        Self::decorated(equation, random, has_input)
    }

    pub fn text(&self) -> String {
        let mut text = String::from("model M\n");
        let names: Vec<String> = (0..self.n).map(|i| format!("x{i}")).collect();
        let _ = writeln!(text, "  Real {};", names.join(", "));
        if self.has_input {
            text.push_str("  input Real u;\n");
        }
        for (k, condition) in self.conditions.iter().enumerate() {
            let kind = match condition {
                Condition::Input => "input ",
                Condition::Crossing(..) => "",
            };
            let _ = writeln!(text, "  {kind}Boolean g{k};");
        }
        text.push_str("equation\n");
        for (k, condition) in self.conditions.iter().enumerate() {
            if let Condition::Crossing(terms, bound) = condition {
                let terms: Vec<String> = terms
                    .iter()
                    .map(|(i, a)| format!("({a})*pre(x{i})"))
                    .collect();
                let _ = writeln!(text, "  g{k} = {} <= {bound};", terms.join(" + "));
            }
        }
        for equation in &self.equations {
            match equation {
                Guarded::Always(equation) => {
                    let _ = writeln!(text, "  {};", equation.text());
                }
                Guarded::If(k, yes, no) => {
                    let (yes, no) = (yes.text(), no.text());
                    let _ = writeln!(
                        text,
                        "  if g{k} then\n    {yes};\n  else\n    {no};\n  end if;"
                    );
                }
            }
        }
        if let Some(r) = &self.reinit {
            let _ = writeln!(
                text,
                "  when g{} then\n    reinit(x{}, {} + ({})*pre(x{}));\n  end when;",
                r.condition, r.target, r.constant, r.factor, r.source
            );
        }
        text.push_str("end M;\n");
        text
    }

    /// A variable `x` and all that the equations of both modes make an affine function of `x` alone, as `y = factor·x + offset` with
    /// the offset by what is known, the number one, time and the input: they are one state by several names, and what sets one of them sets them all.
    ///
    /// With `V` the first Wong limit of the equations that both modes have, `y` is such a name exactly if `y − factor·x − known`
    /// vanishes on `V`. So `2*x' + y = 3` and `x' = z` make `y` and `z` names of one state.
    pub fn tied_to(
        &self,
        variable: usize,
        [from, to]: [&[bool]; 2],
    ) -> Vec<(usize, Rational, [Rational; 3])> {
        let (mut e, mut a) = self.matrices(to);
        let differs = |row: usize| match self.equations.get(row) {
            Some(Guarded::If(k, ..)) => from[*k] != to[*k],
            _ => false,
        };
        for row in (0..e.len()).rev().filter(|row| differs(*row)) {
            e.remove(row);
            a.remove(row);
        }
        let consistent = consistent(&e, &a);
        let known = [self.n, self.n + 1, self.n + 2];
        let mut found = vec![(variable, Rational::one(), [zero(), zero(), zero()])];
        for other in (0..self.n).filter(|other| *other != variable) {
            let columns = [variable, known[0], known[1], known[2], other];
            let values: Matrix = consistent
                .iter()
                .map(|v| columns.iter().map(|&column| v[column].clone()).collect())
                .collect();
            let relations = kernel(&values, columns.len());
            let [relation] = &relations[..] else { continue };
            if relation[4].is_zero() || relation[0].is_zero() {
                continue;
            }
            let solved = |value: &Rational| {
                let value = value.checked_div(&relation[4]).unwrap_or_else(zero);
                &zero() - &value
            };
            let offset = [1, 2, 3].map(|k: usize| solved(&relation[k]));
            found.push((other, solved(&relation[0]), offset));
        }
        found
    }

    /// `E x' = A x` of a mode with the names that [`Self::tied_to`] found put away: each is replaced by its function of `variable`,
    /// and equations that repeat others then are left out. With the variables that remain. A reset of `variable` has no other names to
    /// take along there, so it is plain what it does. `None` where more equations remain than variables.
    pub fn without_names(
        &self,
        mode: &[bool],
        variable: usize,
        names: &[(usize, Rational, [Rational; 3])],
    ) -> Option<(Matrix, Matrix, Vec<usize>)> {
        let (e, a) = self.matrices(mode);
        let size = self.size();
        let kept: Vec<usize> = (0..size)
            .filter(|column| *column == variable || names.iter().all(|(name, ..)| name != column))
            .collect();
        let known = [self.n, self.n + 1, self.n + 2];
        // `y = factor·x + Σ offset·known`, as columns of both matrices.
        let reduced = |m: &Matrix| -> Matrix {
            let row = |row: &Vector| -> Vector {
                let mut row = row.clone();
                for (name, factor, offset) in names.iter().filter(|(name, ..)| *name != variable) {
                    let entry = std::mem::replace(&mut row[*name], zero());
                    row[variable] = &row[variable] + &(&entry * factor);
                    for (column, offset) in known.iter().zip(offset) {
                        row[*column] = &row[*column] + &(&entry * offset);
                    }
                }
                kept.iter().map(|column| row[*column].clone()).collect()
            };
            m.iter().map(row).collect()
        };
        let (e, a) = (reduced(&e), reduced(&a));
        // Rows of both matrices side by side; those that depend on others by numbers say nothing new.
        let joined: Matrix = e
            .iter()
            .zip(&a)
            .map(|(e, a)| e.iter().chain(a).cloned().collect())
            .collect();
        let rows = independent(joined);
        (rows.len() == kept.len()).then(|| {
            let part = |from: usize| {
                let columns = from..from + kept.len();
                rows.iter()
                    .map(|row| row[columns.clone()].to_vec())
                    .collect()
            };
            (part(0), part(kept.len()), kept.clone())
        })
    }

    /// How many rows the pencils have: with the number one, time and the input.
    pub fn size(&self) -> usize {
        self.n + 3
    }

    /// `E x' = A x` of a mode, with what is known as further variables.
    pub fn matrices(&self, mode: &[bool]) -> (Matrix, Matrix) {
        let size = self.size();
        let (mut e, mut a) = (zeros(size, size), zeros(size, size));
        for (row, equation) in self.equations.iter().enumerate() {
            let equation = match equation {
                Guarded::Always(equation) => equation,
                Guarded::If(k, yes, no) => {
                    if mode[*k] {
                        yes
                    } else {
                        no
                    }
                }
            };
            let add = |m: &mut Matrix, column: usize, value: i64| {
                m[row][column] = &m[row][column] + &Rational::int(value);
            };
            for &(i, rate) in &equation.rates {
                add(&mut e, i, rate);
            }
            for &(i, value) in &equation.values {
                add(&mut a, i, -value);
            }
            add(&mut a, self.n, -equation.constant);
            add(&mut a, self.n + 1, -equation.slope);
            add(&mut a, self.n + 2, -equation.input);
        }
        // The number one and the input stay, time runs.
        for k in 0..3 {
            e[self.n + k][self.n + k] = Rational::one();
        }
        a[self.n + 1][self.n] = Rational::one();
        (e, a)
    }

    /// A random vector, with the number one in its place.
    pub fn random_left(&self, random: &mut Random) -> Vector {
        let mut left: Vector = (0..self.size())
            .map(|_| Rational::int(random.below(13) as i64 - 6))
            .collect();
        left[self.n] = Rational::one();
        if !self.has_input {
            left[self.n + 2] = zero();
        }
        left
    }

    /// The function that is zero where a condition flips.
    pub fn crossing(&self, condition: usize, left: &[Rational]) -> Option<Rational> {
        match &self.conditions[condition] {
            Condition::Input => None,
            Condition::Crossing(terms, bound) => {
                let sum = terms.iter().fold(Rational::int(-bound), |sum, (i, a)| {
                    &sum + &(&Rational::int(*a) * &left[*i])
                });
                Some(sum)
            }
        }
    }
}

impl Equation {
    fn text(&self) -> String {
        let mut terms: Vec<String> = Vec::new();
        terms.extend(self.rates.iter().map(|(i, a)| format!("({a})*der(x{i})")));
        terms.extend(self.values.iter().map(|(i, a)| format!("({a})*x{i}")));
        if self.constant != 0 {
            terms.push(format!("({})", self.constant));
        }
        if self.slope != 0 {
            terms.push(format!("({})*time", self.slope));
        }
        if self.input != 0 {
            terms.push(format!("({})*u", self.input));
        }
        format!("{} = 0", terms.join(" + "))
    }
}
