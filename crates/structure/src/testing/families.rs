//! The incidence of families of models that grow with a number.

use crate::{EqId, GuardedEdge, GuardedProblem, ModeSets, ModeVar, NodeLimit, SigmaMatrix, VarId};

/// Collects equations one after the other.
#[derive(Default)]
struct Rows {
    entries: Vec<(EqId, VarId, i32)>,
    n_equations: usize,
    n_variables: usize,
}

impl Rows {
    fn variable(&mut self) -> VarId {
        self.n_variables += 1;
        VarId::new(self.n_variables - 1)
    }

    fn equation(&mut self, terms: &[(VarId, i32)]) {
        let f = EqId::new(self.n_equations);
        self.n_equations += 1;
        self.entries
            .extend(terms.iter().map(|&(x, sigma)| (f, x, sigma)));
    }

    fn algebraic(&mut self, terms: &[VarId]) {
        let terms: Vec<_> = terms.iter().map(|&x| (x, 0)).collect();
        self.equation(&terms);
    }
}

/// A pin: potential and current.
#[derive(Clone, Copy)]
struct Pin {
    v: VarId,
    i: VarId,
}

/// A component with two pins, its voltage and its current.
struct OnePort {
    p: Pin,
    n: Pin,
    v: VarId,
    i: VarId,
}

impl Rows {
    fn pin(&mut self) -> Pin {
        Pin {
            v: self.variable(),
            i: self.variable(),
        }
    }

    fn one_port(&mut self) -> OnePort {
        let port = OnePort {
            p: self.pin(),
            n: self.pin(),
            v: self.variable(),
            i: self.variable(),
        };
        self.algebraic(&[port.v, port.p.v, port.n.v]);
        self.algebraic(&[port.p.i, port.n.i]);
        self.algebraic(&[port.i, port.p.i]);
        port
    }

    fn connect(&mut self, pins: &[Pin]) {
        for pin in &pins[1..] {
            self.algebraic(&[pins[0].v, pin.v]);
        }
        let currents: Vec<_> = pins.iter().map(|pin| pin.i).collect();
        self.algebraic(&currents);
    }
}

/// A chain of `n` cells of a resistor and a capacitor to a common ground, written with connectors:
/// 18 equations a cell, and one flow sum with a term per cell.
pub fn rc_chain(n: usize) -> SigmaMatrix {
    let mut rows = Rows::default();
    let source = rows.one_port();
    rows.algebraic(&[source.v]);
    let ground = rows.pin();
    rows.algebraic(&[ground.v]);
    let mut previous = source.p;
    let mut grounded = vec![source.n, ground];
    for _ in 0..n {
        let (p, out, g) = (rows.pin(), rows.pin(), rows.pin());
        let r = rows.one_port();
        rows.algebraic(&[r.v, r.i]);
        let c = rows.one_port();
        rows.equation(&[(c.i, 0), (c.v, 1)]);
        rows.connect(&[p, r.p]);
        rows.connect(&[r.n, c.p, out]);
        rows.connect(&[c.n, g]);
        rows.connect(&[previous, p]);
        grounded.push(g);
        previous = out;
    }
    rows.algebraic(&[previous.i]);
    rows.connect(&grounded);
    SigmaMatrix::from_entries(rows.n_equations, rows.n_variables, &rows.entries)
}

/// Collects guarded equations that are all active in every mode.
struct Guarded<'a, M: ModeSets> {
    sets: &'a M,
    problem: GuardedProblem<M::Set>,
}

impl<'a, M: ModeSets> Guarded<'a, M> {
    fn new(sets: &'a M) -> Self {
        let problem = GuardedProblem {
            active: vec![],
            n_variables: 0,
            edges: vec![],
            care: vec![],
        };
        Self { sets, problem }
    }

    fn variables(&mut self, n: usize) -> Vec<VarId> {
        let first = self.problem.n_variables;
        self.problem.n_variables += n;
        (first..first + n).map(VarId::new).collect()
    }

    /// An equation whose terms are `(variable, σ, modes)`.
    fn equation(&mut self, terms: impl IntoIterator<Item = (VarId, i32, M::Set)>) {
        let equation = EqId::new(self.problem.active.len());
        self.problem.active.push(self.sets.full());
        let edge = |(variable, sigma, modes)| GuardedEdge {
            equation,
            variable,
            sigma,
            modes,
        };
        self.problem.edges.extend(terms.into_iter().map(edge));
    }

    fn always(&mut self, terms: &[(VarId, i32)]) {
        let full = self.sets.full();
        self.equation(terms.iter().map(|&(x, sigma)| (x, sigma, full.clone())));
    }

    /// `if g then (first terms) else (second terms)`, all of order 0.
    fn switch(&mut self, g: usize, on: &[VarId], off: &[VarId]) -> Result<(), NodeLimit> {
        let on_modes = self.sets.var(ModeVar::new(g))?;
        let off_modes = self.sets.not(&on_modes)?;
        let on = on.iter().map(|&x| (x, 0, on_modes.clone()));
        let off = off.iter().map(|&x| (x, 0, off_modes.clone()));
        self.equation(on.chain(off));
        Ok(())
    }
}

/// `n` independent clutches between two shafts each: `2^n` modes, `n` components.
pub fn clutches<M: ModeSets>(sets: &M, n: usize) -> Result<GuardedProblem<M::Set>, NodeLimit> {
    let mut model = Guarded::new(sets);
    let [w1, w2, f1, f2] = std::array::from_fn(|_| model.variables(n));
    for k in 0..n {
        model.always(&[(w1[k], 1), (f1[k], 0)]);
        model.always(&[(w2[k], 1), (f2[k], 0)]);
        model.always(&[(f1[k], 0), (f2[k], 0)]);
        model.switch(k, &[w1[k], w2[k]], &[f1[k]])?;
    }
    Ok(model.problem)
}

/// `n` branches of inductor and resistor and `n` branches of capacitor and diode, all between the same
/// two nodes.
pub fn rldc<M: ModeSets>(sets: &M, n: usize) -> Result<GuardedProblem<M::Set>, NodeLimit> {
    let mut model = Guarded::new(sets);
    let u = model.variables(1)[0];
    let [i, j, ud, v, s] = std::array::from_fn(|_| model.variables(n));
    let sum: Vec<_> = i.iter().chain(&j).map(|&x| (x, 0)).collect();
    model.always(&sum);
    let full = sets.full();
    for k in 0..n {
        model.always(&[(u, 0), (j[k], 1)]);
        model.always(&[(u, 0), (ud[k], 0), (v[k], 0)]);
        model.always(&[(i[k], 0), (v[k], 1)]);
        let on = sets.var(ModeVar::new(k))?;
        let off = sets.not(&on)?;
        model.equation([(s[k], 0, full.clone()), (i[k], 0, on), (ud[k], 0, off)]);
        model.switch(k, &[ud[k]], &[i[k]])?;
    }
    Ok(model.problem)
}

/// `n` sections in series, each with an inductor in line and a shunt of capacitor and diode.
pub fn ladder<M: ModeSets>(sets: &M, n: usize) -> Result<GuardedProblem<M::Set>, NodeLimit> {
    let mut model = Guarded::new(sets);
    let [u, il, ic, ud, v, s] = std::array::from_fn(|_| model.variables(n));
    let full = sets.full();
    for k in 0..n {
        let mut inductor = vec![(il[k], 1), (u[k], 0)];
        inductor.extend(k.checked_sub(1).map(|before| (u[before], 0)));
        model.always(&inductor);
        let next = if k + 1 == n { u[k] } else { il[k + 1] };
        model.always(&[(il[k], 0), (ic[k], 0), (next, 0)]);
        model.always(&[(u[k], 0), (ud[k], 0), (v[k], 0)]);
        model.always(&[(ic[k], 0), (v[k], 1)]);
        let on = sets.var(ModeVar::new(k))?;
        let off = sets.not(&on)?;
        model.equation([(s[k], 0, full.clone()), (ic[k], 0, on), (ud[k], 0, off)]);
        model.switch(k, &[ud[k]], &[ic[k]])?;
    }
    Ok(model.problem)
}

/// `n` clutches between `n + 1` shafts in a row.
pub fn gearbox<M: ModeSets>(sets: &M, n: usize) -> Result<GuardedProblem<M::Set>, NodeLimit> {
    let mut model = Guarded::new(sets);
    let w = model.variables(n + 1);
    let t = model.variables(n);
    for (k, &speed) in w.iter().enumerate() {
        let mut shaft = vec![(speed, 1)];
        shaft.extend(k.checked_sub(1).map(|before| (t[before], 0)));
        shaft.extend(t.get(k).map(|&torque| (torque, 0)));
        model.always(&shaft);
    }
    for k in 0..n {
        model.switch(k, &[w[k], w[k + 1]], &[t[k]])?;
    }
    Ok(model.problem)
}

/// A grid of `width` × `height` nodes, each with a capacitor to ground, and an ideal switch between
/// neighbours: closed it equates the voltages, open it carries no current.
pub fn mesh<M: ModeSets>(
    sets: &M,
    width: usize,
    height: usize,
) -> Result<GuardedProblem<M::Set>, NodeLimit> {
    let mut model = Guarded::new(sets);
    let voltage = model.variables(width * height);
    let node = |x: usize, y: usize| y * width + x;
    let mut neighbours = Vec::new();
    for y in 0..height {
        for x in 0..width {
            if x + 1 < width {
                neighbours.push((node(x, y), node(x + 1, y)));
            }
            if y + 1 < height {
                neighbours.push((node(x, y), node(x, y + 1)));
            }
        }
    }
    let current = model.variables(neighbours.len());
    for (k, &v) in voltage.iter().enumerate() {
        let touching = neighbours
            .iter()
            .zip(&current)
            .filter(|((a, b), _)| *a == k || *b == k);
        let mut terms = vec![(v, 1)];
        terms.extend(touching.map(|(_, &i)| (i, 0)));
        model.always(&terms);
    }
    for (g, &(a, b)) in neighbours.iter().enumerate() {
        model.switch(g, &[voltage[a], voltage[b]], &[current[g]])?;
    }
    Ok(model.problem)
}
