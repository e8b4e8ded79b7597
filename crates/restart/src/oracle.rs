//! Independent checks: implicit-Euler steps of the unreduced equations, and consistency projectors.

use crate::numeric::Numbers;
use crate::system::Meaning;
use crate::testing::Text;
use crate::{Change, Verdict, analyse};
use modeshift_algebra::Lu;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{
    Expr, Fp, Sample, VarId, VarRef, evaluate, incidence, partial, variables,
};
use std::collections::BTreeMap;

/// Numbers by name: `w1` is the left limit, `x'` the left limit of the derivative, `J` a parameter.
fn numbers(text: &Text, given: &[(&str, f64)]) -> Numbers {
    let mut numbers = Numbers::default();
    for (name, value) in given {
        if let Some(i) = text.params.get_index_of(*name) {
            numbers
                .params
                .insert(modeshift_mdae::sym::ParamId(i as u32), *value);
        } else {
            let v = text.var(name);
            numbers.values.insert(VarRef::left(v.var, v.order), *value);
            if text.inputs.iter().any(|input| input == name) {
                numbers.values.insert(v, *value);
            }
        }
    }
    numbers
}

/// One implicit-Euler step of the new mode's own equations, nothing differentiated. The unknowns are the
/// highest derivatives that occur; lower ones follow from the left limits.
fn euler_step(change: &Change, start: &Numbers, h: f64) -> BTreeMap<VarRef, f64> {
    let mut highest: BTreeMap<VarId, u32> = BTreeMap::new();
    for equation in &change.after {
        for (var, order) in incidence(&equation.residual) {
            if change.is_unknown(var) {
                let entry = highest.entry(var).or_insert(0);
                *entry = (*entry).max(order);
            }
        }
    }
    let vars: Vec<(VarId, u32)> = highest.into_iter().collect();
    let column: FxHashMap<VarId, usize> = vars.iter().enumerate().map(|(i, v)| (v.0, i)).collect();
    let mut z = vec![0.0; vars.len()];
    let left = |var, order| {
        start
            .values
            .get(&VarRef::left(var, order))
            .copied()
            .unwrap_or(0.0)
    };
    let fill = |z: &[f64]| {
        let mut point = start.clone();
        for (i, &(var, order)) in vars.iter().enumerate() {
            let mut value = z[i];
            point.values.insert(VarRef::now(var, order), value);
            for m in (0..order).rev() {
                value = left(var, m) + h * value;
                point.values.insert(VarRef::now(var, m), value);
            }
        }
        point
    };
    for _ in 0..30 {
        let point = fill(&z);
        let mut matrix = Vec::new();
        let mut step = Vec::new();
        for equation in &change.after {
            let mut row = vec![0.0; vars.len()];
            for o in variables(&equation.residual) {
                if let Some(&i) = column.get(&o.var) {
                    let slope: f64 = evaluate(&partial(&equation.residual, o), &point).unwrap();
                    row[i] += slope * h.powi((vars[i].1 - o.order) as i32);
                }
            }
            step.push(evaluate(&equation.residual, &point).unwrap());
            matrix.push(row);
        }
        // Columns differ by powers of h: scale them before elimination.
        let scales: Vec<f64> = (0..vars.len())
            .map(|i| matrix.iter().map(|row| row[i].abs()).fold(1e-300, f64::max))
            .collect();
        for row in &mut matrix {
            for (entry, scale) in row.iter_mut().zip(&scales) {
                *entry /= scale;
            }
        }
        let mut lu = Lu::default();
        lu.reset(vars.len()).copy_from_slice(&matrix.concat());
        lu.factor().expect("the implicit Euler step is regular");
        lu.solve(&mut step);
        for ((value, step), scale) in z.iter_mut().zip(&step).zip(&scales) {
            *value -= step / scale;
        }
    }
    fill(&z)
        .values
        .into_iter()
        .filter(|(v, _)| v.at == modeshift_mdae::sym::At::Now)
        .collect()
}

/// The right limits of the restart, compared with an Euler step.
#[track_caller]
fn agrees_with_euler(text: &Text, change: &Change, given: &[(&str, f64)]) -> BTreeMap<String, f64> {
    let start = numbers(text, given);
    let analysis = analyse(change);
    assert_eq!(analysis.verdict, Verdict::Determined, "{analysis:#?}");
    let solution = analysis
        .system
        .solve(&start)
        .expect("the restart has a solution");
    let step = euler_step(change, &start, 1e-8);
    let mut right = BTreeMap::new();
    for (unknown, value) in analysis.system.unknowns.iter().zip(&solution.values) {
        if unknown.meaning != Meaning::Right {
            continue;
        }
        let v = VarRef::now(unknown.cell.var, unknown.cell.order);
        if let Some(euler) = step.get(&v) {
            let scale = 1.0 + value.abs();
            assert!(
                (euler - value).abs() < 1e-6 * scale,
                "{}: {value} {euler}",
                text.name(v)
            );
        }
        right.insert(text.name(v), *value);
    }
    right
}

#[track_caller]
fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
}

#[test]
fn the_clutch_settles_at_four_thirds() {
    let mut text = Text::new("j1 j2");
    let both = ["j1*w1' = -0.01*w1 + t1", "j2*w2' = -0.02*w2 + t2"];
    let change = text.change(
        &both,
        &["t1 = 0", "t2 = 0"],
        &["w1 - w2 = 0", "t1 + t2 = 0"],
    );
    let given = [("w1", 1.0), ("w2", 1.5), ("j1", 1.0), ("j2", 2.0)];
    let right = agrees_with_euler(&text, &change, &given);
    near(right["w1"], 4.0 / 3.0);
    near(right["w2"], 4.0 / 3.0);
}

#[test]
fn the_ball_keeps_its_angular_momentum() {
    let mut text = Text::new("g L");
    let both = ["x'' + l*x = 0", "y'' + l*y + g = 0"];
    let free = ["l = 0", "s = L^2 - (x^2 + y^2)"];
    let mut change = text.change(&both, &free, &["0 = L^2 - (x^2 + y^2)", "l + s = 0"]);
    text.crossing(&mut change, "s");
    let given = [
        ("x", 0.6),
        ("y", -0.8),
        ("x'", 2.0),
        ("y'", 1.0),
        ("L", 1.0),
        ("g", 9.81),
    ];
    let right = agrees_with_euler(&text, &change, &given);
    near(0.6 * right["x'"] - 0.8 * right["y'"], 0.0);
    near(
        -0.8 * right["x'"] - 0.6 * right["y'"],
        -0.8 * 2.0 - 0.6 * 1.0,
    );
}

#[test]
fn roccas_jump_formula_holds() {
    let mut text = Text::new("b1 b2");
    let both = ["x1' = 1 + b1*z", "x2' = 1 + b2*z"];
    let mut change = text.change(&both, &["x2 + x1 + 1 = 0"], &["x2 - x1 - 1 = 0"]);
    text.crossing(&mut change, "x1");
    let (b1, b2) = (0.5, 2.0);
    let given = [("x1", 0.0), ("x2", -1.0), ("b1", b1), ("b2", b2)];
    let right = agrees_with_euler(&text, &change, &given);
    near(right["x1"], 2.0 * b1 / (b2 - b1));
    near(right["x2"], (b1 + b2) / (b2 - b1));
}

#[test]
fn a_cubic_torque_moves_only_its_own_shaft() {
    let mut text = Text::new("a b");
    let both = ["w1' = a*w1 + b*t1^3", "w2' = a*w2 + b*t2"];
    let change = text.change(
        &both,
        &["t1 = 0", "t2 = 0"],
        &["w1 - w2 = 0", "t1 + t2 = 0"],
    );
    let start = numbers(&text, &[("w1", 1.0), ("w2", 1.5), ("a", -0.1), ("b", 1.0)]);
    let analysis = analyse(&change);
    let solution = analysis.system.solve(&start).unwrap();
    for (unknown, value) in analysis.system.unknowns.iter().zip(&solution.values) {
        if unknown.meaning == Meaning::Right {
            near(*value, 1.5);
        }
    }
}

#[test]
fn short_circuited_capacitors_share_their_charge() {
    let mut text = Text::new("c1 c2");
    let both = ["c1*v1' = i1", "c2*v2' = i2", "i1 + i2 = 0"];
    let change = text.change(&both, &["i1 = 0"], &["v1 = v2"]);
    let given = [("v1", 5.0), ("v2", 0.0), ("c1", 1.0), ("c2", 4.0)];
    near(agrees_with_euler(&text, &change, &given)["v1"], 1.0);
}

#[test]
fn rigidly_coupled_inertias_start_with_their_common_momentum() {
    let mut text = Text::new("j1 j2");
    let both = ["j1*w1' = t1", "j2*w2' = t2", "t1 + t2 = 0", "w1 = w2"];
    let mut change = text.change(&[], &[], &both);
    change.initial = true;
    let given = [("w1", 10.0), ("w2", 0.0), ("j1", 4.0), ("j2", 1.0)];
    near(agrees_with_euler(&text, &change, &given)["w1"], 8.0);
}

// Consistency projectors, computed modulo the prime.

type Matrix = Vec<Vec<Fp>>;

/// A basis of the null space of `m` (rows × n).
fn kernel(m: &Matrix, n: usize) -> Vec<Vec<Fp>> {
    let mut m = m.clone();
    let mut pivots = Vec::new();
    let mut rank = 0;
    for column in 0..n {
        let Some(p) = (rank..m.len()).find(|&r| !m[r][column].is_zero()) else {
            continue;
        };
        m.swap(rank, p);
        let inverse = m[rank][column].inverse().unwrap();
        for entry in &mut m[rank] {
            *entry = entry.times(inverse);
        }
        let pivot = m[rank].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(r, _)| *r != rank) {
            let f = row[column];
            for (entry, above) in row.iter_mut().zip(&pivot) {
                *entry = entry.minus(f.times(*above));
            }
        }
        pivots.push(column);
        rank += 1;
    }
    let free = (0..n).filter(|c| !pivots.contains(c));
    free.map(|c| {
        let mut v = vec![Fp::ZERO; n];
        v[c] = Fp::ONE;
        for (r, &p) in pivots.iter().enumerate() {
            v[p] = m[r][c].negated();
        }
        v
    })
    .collect()
}

fn times(m: &Matrix, v: &[Fp]) -> Vec<Fp> {
    let dot = |row: &Vec<Fp>| {
        row.iter()
            .zip(v)
            .fold(Fp::ZERO, |s, (a, b)| s.plus(a.times(*b)))
    };
    m.iter().map(dot).collect()
}

/// `{x : m x ∈ span(basis)}`
fn preimage(m: &Matrix, basis: &[Vec<Fp>], n: usize) -> Vec<Vec<Fp>> {
    let mut joined: Matrix = m.clone();
    for (r, row) in joined.iter_mut().enumerate() {
        row.extend(basis.iter().map(|b| b[r]));
    }
    let found = kernel(&joined, n + basis.len());
    let cut: Vec<Vec<Fp>> = found.into_iter().map(|v| v[..n].to_vec()).collect();
    independent(cut)
}

fn independent(vectors: Vec<Vec<Fp>>) -> Vec<Vec<Fp>> {
    let mut kept: Vec<Vec<Fp>> = Vec::new();
    for v in vectors {
        let mut with = kept.clone();
        with.push(v.clone());
        let n = v.len();
        let transposed: Matrix = (0..n)
            .map(|i| with.iter().map(|w| w[i]).collect())
            .collect();
        if kernel(&transposed, with.len()).is_empty() {
            kept.push(v);
        }
    }
    kept
}

/// Trenn's consistency projection of `x` for the regular pencil `(E, A)` by the Wong sequences.
fn projection(e: &Matrix, a: &Matrix, x: &[Fp]) -> Option<Vec<Fp>> {
    let n = x.len();
    let unit = |i: usize| {
        (0..n)
            .map(|j| if i == j { Fp::ONE } else { Fp::ZERO })
            .collect()
    };
    let mut v: Vec<Vec<Fp>> = (0..n).map(unit).collect();
    let mut w: Vec<Vec<Fp>> = Vec::new();
    for _ in 0..=n {
        v = preimage(a, &v.iter().map(|b| times(e, b)).collect::<Vec<_>>(), n);
        w = preimage(e, &w.iter().map(|b| times(a, b)).collect::<Vec<_>>(), n);
    }
    if v.len() + w.len() != n {
        return None;
    }
    // x = V α + W β: the kernel of [V W −x] has one vector.
    let all: Vec<&Vec<Fp>> = v.iter().chain(&w).collect();
    let m: Matrix = (0..n)
        .map(|i| all.iter().map(|b| b[i]).chain([x[i].negated()]).collect())
        .collect();
    let found = kernel(&m, n + 1);
    let [solution] = found.as_slice() else {
        return None;
    };
    let last = solution[n].inverse()?;
    let mut result = vec![Fp::ZERO; n];
    for (k, b) in v.iter().enumerate() {
        let factor = solution[k].times(last);
        for i in 0..n {
            result[i] = result[i].plus(factor.times(b[i]));
        }
    }
    Some(result)
}

/// A small deterministic generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn random_matrix(random: &mut Random, n: usize, density: u64) -> Vec<Vec<i64>> {
    let entry = |random: &mut Random| {
        if random.below(10) < density {
            random.below(9) as i64 - 4
        } else {
            0
        }
    };
    (0..n)
        .map(|_| (0..n).map(|_| entry(random)).collect())
        .collect()
}

fn linear_change(e: &[Vec<i64>], a: &[Vec<i64>]) -> Change {
    let n = e.len();
    let variable = |i: usize, order| Expr::var_ref(VarRef::now(VarId(i as u32), order));
    let row = |i: usize| {
        Expr::sum((0..n).flat_map(|j| {
            [
                variable(j, 1).scale(&e[i][j].into()),
                variable(j, 0).scale(&(-a[i][j]).into()),
            ]
        }))
    };
    let equation = |source, residual| crate::ModeEquation { source, residual };
    Change {
        roles: vec![crate::Role::Unknown; n],
        before: (0..n).map(|i| equation(i, variable(i, 1))).collect(),
        after: (0..n).map(|i| equation(100 + i, row(i))).collect(),
        ..Change::default()
    }
}

/// Solves the (linear) restart system modulo the prime.
fn solve_modular(system: &crate::system::RestartSystem, sample: &Sample) -> Option<Vec<Fp>> {
    let n = system.unknowns.len();
    let mut zero = sample.clone();
    for i in 0..n {
        zero.set(system.unknown(i), Fp::ZERO);
    }
    let mut matrix: Matrix = vec![vec![Fp::ZERO; n + 1]; system.equations.len()];
    for (row, entries) in system.jacobian().iter().enumerate() {
        for (column, entry) in entries {
            matrix[row][*column] = evaluate(entry, &zero).ok()?;
        }
        matrix[row][n] = evaluate(&system.equations[row].residual, &zero).ok()?;
    }
    let found = kernel(&matrix, n + 1);
    let [solution] = found.as_slice() else {
        return None;
    };
    let last = solution[n].inverse()?;
    Some(solution[..n].iter().map(|v| v.times(last)).collect())
}

#[test]
fn random_linear_changes_agree_with_consistency_projectors() {
    let mut random = Random(20_261_116);
    let (mut determined, mut wrong) = (0, Vec::new());
    let mut tried = 0;
    while tried < 160 {
        let n = 2 + random.below(4) as usize;
        let (e, a) = (
            random_matrix(&mut random, n, 3),
            random_matrix(&mut random, n, 5),
        );
        let change = linear_change(&e, &a);
        let modular = |m: &[Vec<i64>]| -> Matrix {
            let entry = |v: &i64| evaluate(&Expr::int(*v), &Sample::new(0)).unwrap();
            m.iter()
                .map(|row| row.iter().map(entry).collect())
                .collect()
        };
        let sample = Sample::new(tried);
        let left: Vec<Fp> = (0..n)
            .map(|i| sample.get(VarRef::left(VarId(i as u32), 0)))
            .collect();
        let Some(expected) = projection(&modular(&e), &modular(&a), &left) else {
            continue;
        };
        let analysis = analyse(&change);
        if analysis.verdict == Verdict::SingularMode {
            continue;
        }
        assert!(
            !analysis
                .flags
                .iter()
                .any(|flag| matches!(flag, crate::Flag::SchemeDependent { .. })),
            "linear equations have one meaning: {e:?} {a:?}"
        );
        tried += 1;
        if analysis.verdict != Verdict::Determined {
            continue;
        }
        determined += 1;
        let Some(solution) = solve_modular(&analysis.system, &sample) else {
            wrong.push(format!("unsolved {e:?} {a:?}"));
            continue;
        };
        for &state in &analysis.determined {
            let index = analysis.system.unknowns.iter().position(|u| {
                u.meaning == Meaning::Right && VarRef::now(u.cell.var, u.cell.order) == state
            });
            let value = match index {
                Some(index) => solution[index],
                None if state.order == 0 => left[state.var.0 as usize],
                None => continue,
            };
            if state.order == 0 && value != expected[state.var.0 as usize] {
                wrong.push(format!("{e:?} {a:?} {state:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(determined > 120);
}
