//! Tables of `Modelica.Blocks`: `CombiTimeTable`, `CombiTable1Ds`, `CombiTable1Dv`, `CombiTable2Ds`, `CombiTable2Dv`.

use super::curve::{
    Curve, Extrapolation, Smoothness, Where, akima_slope, akima_weights, dot, find, powers,
    straight,
};
use crate::array::Array;

/// Data in one dimension: abscissae and a curve for each column.
#[derive(Debug)]
pub struct Table1 {
    pub x: Vec<f64>,
    last: Vec<f64>,
    first: Vec<f64>,
    curves: Vec<Curve>,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    /// Slopes through the first and the last two points, of constant segments.
    ends: Vec<(f64, f64)>,
}

impl Table1 {
    /// `columns` count from 1.
    pub fn new(
        data: &Array<f64>,
        columns: &[i64],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
        strictly: bool,
    ) -> Result<Self, String> {
        let (rows, width) = match data.dims[..] {
            [rows, width] if rows > 0 && width > 0 => (rows, width),
            _ => return Err("the table is empty".into()),
        };
        let column = |k: usize| {
            (0..rows)
                .map(|i| data.data[i * width + k])
                .collect::<Vec<f64>>()
        };
        let x = column(0);
        if x.iter().any(|x| !x.is_finite()) {
            return Err("the first column of the table has a value that is no number".into());
        }
        let cubic = !matches!(smoothness, Smoothness::Linear | Smoothness::Constant);
        for (i, pair) in x.windows(2).enumerate() {
            if pair[1] < pair[0] || ((strictly || cubic) && pair[1] == pair[0]) {
                return Err(format!(
                    "the first column of the table does not increase from row {} to row {}: {}, {}",
                    i + 1,
                    i + 2,
                    pair[0],
                    pair[1]
                ));
            }
        }
        let mut this = Self {
            x,
            last: Vec::new(),
            first: Vec::new(),
            curves: Vec::new(),
            smoothness,
            extrapolation,
            ends: Vec::new(),
        };
        for &number in columns {
            let k = usize::try_from(number - 1).ok().filter(|&k| k < width);
            let k =
                k.ok_or_else(|| format!("the table has {width} columns, and no column {number}"))?;
            let y = column(k);
            let line = |i: usize, j: usize| {
                let dx = this.x[j] - this.x[i];
                if dx > 0.0 { (y[j] - y[i]) / dx } else { 0.0 }
            };
            let ends = match rows {
                1 => (0.0, 0.0),
                _ => (line(0, 1), line(rows - 2, rows - 1)),
            };
            this.ends.push(ends);
            this.curves.push(Curve::new(smoothness, &this.x, &y));
            this.first.push(y[0]);
            this.last.push(y[rows - 1]);
        }
        Ok(this)
    }

    pub fn minimum(&self) -> f64 {
        self.x[0]
    }

    pub fn maximum(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    pub fn column(&self, number: i64) -> Result<usize, String> {
        let index = usize::try_from(number - 1)
            .ok()
            .filter(|&k| k < self.curves.len());
        index.ok_or_else(|| format!("the table has no output {number}"))
    }

    /// `u` within the table if it is periodic.
    pub fn wrapped(&self, u: f64) -> f64 {
        let (low, period) = (self.minimum(), self.maximum() - self.minimum());
        if self.extrapolation != Extrapolation::Periodic || period <= 0.0 {
            return u;
        }
        if (low..=self.maximum()).contains(&u) {
            return u;
        }
        let rest = u - low - ((u - low) / period).floor() * period;
        low + rest.clamp(0.0, period)
    }

    /// Whether there is a value.
    pub fn check(&self, u: f64) -> Result<(), String> {
        if u.is_nan() {
            return Err("a table is read at a place that is no number".into());
        }
        let inside = (self.minimum()..=self.maximum()).contains(&u);
        if self.extrapolation == Extrapolation::None && !inside {
            return Err(format!(
                "a table from {} to {} is read at {u}, and extrapolation is not allowed",
                self.minimum(),
                self.maximum()
            ));
        }
        Ok(())
    }

    /// The value or a derivative.
    pub fn value(&self, column: usize, u: f64, order: u32, from_left: bool) -> f64 {
        let mut u = self.wrapped(u);
        if self.extrapolation == Extrapolation::Periodic {
            // The end of a period is its last point from the left, and the first one of the next from the right.
            let (low, high) = (self.minimum(), self.maximum());
            u = match from_left {
                true if u <= low => high,
                false if u >= high => low,
                _ => u,
            };
        }
        self.at(column, find(&self.x, u, from_left), order)
    }

    fn at(&self, column: usize, place: Where, order: u32) -> f64 {
        let curve = &self.curves[column].coefficients;
        let n = self.x.len();
        let hold = |value: f64| if order == 0 { value } else { 0.0 };
        let line = |value: f64, slope: f64, d: f64| match order {
            0 => value + slope * d,
            1 => slope,
            _ => 0.0,
        };
        if curve.is_empty() {
            return hold(self.first[column]);
        }
        match place {
            Where::Inside(i, h) => dot(&curve[i], &powers(h, order)),
            Where::Before(d) => match (self.extrapolation, self.smoothness) {
                (Extrapolation::LastTwoPoints, Smoothness::Constant) => {
                    line(self.first[column], self.ends[column].0, d)
                }
                (Extrapolation::LastTwoPoints, _) => dot(&curve[0], &straight(0.0, d, order)),
                _ => hold(self.first[column]),
            },
            Where::Behind(d) => {
                let i = n - 2;
                let width = self.x[n - 1] - self.x[n - 2];
                match (self.extrapolation, self.smoothness) {
                    // The last point itself belongs to the last segment where that is smooth.
                    _ if d == 0.0 && order > 0 && self.smoothness != Smoothness::Constant => {
                        dot(&curve[i], &powers(width, order))
                    }
                    (Extrapolation::LastTwoPoints, Smoothness::Linear | Smoothness::Constant) => {
                        line(self.last[column], self.ends[column].1, d)
                    }
                    (Extrapolation::LastTwoPoints, _) => dot(&curve[i], &straight(width, d, order)),
                    _ => hold(self.last[column]),
                }
            }
        }
    }
}

/// When a table over time makes events, as `Modelica.Blocks.Types.TimeEvents` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeEvents {
    Always,
    AtDiscontinuities,
    Never,
}

#[derive(Debug)]
pub struct TimeTable {
    pub table: Table1,
    pub start: f64,
    pub shift: f64,
    pub events: TimeEvents,
    /// Abscissae with an event.
    places: Vec<f64>,
}

impl TimeTable {
    pub fn new(table: Table1, start: f64, shift: f64, events: TimeEvents) -> Self {
        let x = &table.x;
        let mut places: Vec<f64> = match events {
            TimeEvents::Always => x.clone(),
            TimeEvents::AtDiscontinuities => {
                let pairs = x.windows(2).filter(|pair| pair[0] == pair[1]);
                let mut places: Vec<f64> = pairs.map(|pair| pair[0]).collect();
                // The ends of what bends or jumps there.
                if table.extrapolation != Extrapolation::LastTwoPoints {
                    places.push(table.minimum());
                    places.push(table.maximum());
                }
                places.sort_by(f64::total_cmp);
                places
            }
            TimeEvents::Never => Vec::new(),
        };
        places.dedup();
        Self {
            table,
            start,
            shift,
            events,
            places,
        }
    }

    /// The next instant after `time` at which something may jump or bend.
    pub fn next_event(&self, time: f64) -> f64 {
        if time < self.start {
            return self.start;
        }
        if self.events == TimeEvents::Never || self.places.is_empty() {
            return f64::MAX;
        }
        let u = time - self.shift;
        let (low, high) = (self.table.minimum(), self.table.maximum());
        if self.table.extrapolation == Extrapolation::Periodic && high > low {
            let period = high - low;
            let mut round = ((u - low) / period).floor();
            // Rounding must not lead back.
            for _ in 0..3 {
                for &place in &self.places {
                    let at = place + round * period + self.shift;
                    if at > time + 1e-12 * time.abs() {
                        return at;
                    }
                }
                round += 1.0;
            }
            return f64::MAX;
        }
        let next = self.places.iter().find(|&&place| place + self.shift > time);
        next.map_or(f64::MAX, |place| place + self.shift)
    }

    /// The value or a derivative. Until the event at `next` has happened, the value before it counts.
    pub fn value(&self, column: usize, time: f64, order: u32, next: f64) -> f64 {
        if time < self.start || time == next && next <= self.start {
            return 0.0;
        }
        let from_left = self.events != TimeEvents::Never && time == next;
        self.table.value(column, self.place(time), order, from_left)
    }

    /// The abscissa at an instant. That of an event is exact, whatever the rounding of shifts and periods.
    fn place(&self, time: f64) -> f64 {
        let u = self.table.wrapped(time - self.shift);
        let near =
            |place: &f64| (place - u).abs() <= 1e-14 * (time.abs() + self.shift.abs() + u.abs());
        let k = self.places.partition_point(|&place| place < u);
        let around = &self.places[k.saturating_sub(1)..self.places.len().min(k + 1)];
        around.iter().copied().find(near).unwrap_or(u)
    }
}

/// Data in two dimensions: a polynomial for each cell.
#[derive(Debug)]
pub struct Table2 {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Coefficients of powers of the distances in both directions, cell by cell, row by row.
    cells: Vec<[[f64; 4]; 4]>,
    /// Inside, each cell has the value of its first corner.
    constant: bool,
    extrapolation: Extrapolation,
}

impl Table2 {
    pub fn new(
        data: &Array<f64>,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Self, String> {
        let (rows, width) = match data.dims[..] {
            [rows, width] if rows > 1 && width > 1 => (rows, width),
            _ => return Err("a table of two dimensions needs two rows and two columns".into()),
        };
        let x: Vec<f64> = (1..rows).map(|i| data.data[i * width]).collect();
        let y: Vec<f64> = data.data[1..width].to_vec();
        for (what, values) in [("column", &x), ("row", &y)] {
            if values.windows(2).any(|pair| pair[1] <= pair[0]) {
                return Err(format!("the first {what} of the table does not increase"));
            }
        }
        let z = |i: usize, j: usize| data.data[(i + 1) * width + j + 1];
        let (n, m) = (x.len(), y.len());
        let slopes = (smoothness == Smoothness::Akima).then(|| Slopes::new(&x, &y, &z));
        let mut cells = Vec::new();
        for i in 0..n.saturating_sub(1).max(1) {
            for j in 0..m.saturating_sub(1).max(1) {
                let (right, up) = ((i + 1).min(n - 1), (j + 1).min(m - 1));
                let corner = [[z(i, j), z(i, up)], [z(right, j), z(right, up)]];
                let (h, k) = (x[right] - x[i], y[up] - y[j]);
                cells.push(match &slopes {
                    Some(slopes) => slopes.cell(corner, (i, right), (j, up), (h, k)),
                    None => bilinear(corner, h, k),
                });
            }
        }
        if !matches!(
            smoothness,
            Smoothness::Constant | Smoothness::Linear | Smoothness::Akima
        ) {
            return Err("a table of two dimensions is linear, constant or of Akima's kind".into());
        }
        Ok(Self {
            x,
            y,
            cells,
            constant: smoothness == Smoothness::Constant,
            extrapolation,
        })
    }

    pub fn check(&self, u: f64, v: f64) -> Result<(), String> {
        if u.is_nan() || v.is_nan() {
            return Err("a table is read at a place that is no number".into());
        }
        let inside = |values: &[f64], u: f64| {
            values.len() == 1 || (values[0]..=values[values.len() - 1]).contains(&u)
        };
        if self.extrapolation == Extrapolation::None && !(inside(&self.x, u) && inside(&self.y, v))
        {
            return Err(format!(
                "a table is read at ({u}, {v}), and extrapolation is not allowed"
            ));
        }
        Ok(())
    }

    pub fn value(&self, u: f64, v: f64, orders: (u32, u32)) -> f64 {
        // A direction with one line has no ends.
        let outside = |x: &[f64], u: f64| x.len() > 1 && (u < x[0] || u > x[x.len() - 1]);
        // A step in one direction is a line where the other one is extrapolated.
        let steps = self.constant
            && !(self.extrapolation == Extrapolation::LastTwoPoints
                && (outside(&self.x, u) || outside(&self.y, v)));
        let (i, bx) = self.basis(&self.x, u, orders.0, steps);
        let (j, by) = self.basis(&self.y, v, orders.1, steps);
        let columns = self.y.len().saturating_sub(1).max(1);
        let cell = &self.cells[i * columns + j];
        (0..4).map(|p| bx[p] * dot(&cell[p], &by)).sum()
    }

    /// The cell in one direction and the powers of the distance there.
    fn basis(&self, x: &[f64], u: f64, order: u32, steps: bool) -> (usize, [f64; 4]) {
        let n = x.len();
        if n == 1 {
            return (0, powers(0.0, order));
        }
        let u = match self.extrapolation {
            Extrapolation::Periodic if !(x[0]..=x[n - 1]).contains(&u) => {
                let period = x[n - 1] - x[0];
                x[0] + (u - x[0] - ((u - x[0]) / period).floor() * period)
            }
            _ => u,
        };
        let hold = self.extrapolation == Extrapolation::Hold;
        match find(x, u, false) {
            Where::Inside(i, _) if steps && order > 0 => (i, [0.0; 4]),
            Where::Inside(i, _) if steps => (i, powers(0.0, 0)),
            Where::Inside(i, h) => (i, powers(h, order)),
            Where::Before(_) if hold => (0, if order == 0 { powers(0.0, 0) } else { [0.0; 4] }),
            Where::Before(d) => (0, straight(0.0, d, order)),
            Where::Behind(d) => {
                let width = x[n - 1] - x[n - 2];
                let powers = match hold && (order == 0 || d > 0.0) {
                    true if order == 0 => powers(width, 0),
                    true => [0.0; 4],
                    false => straight(width, d, order),
                };
                (n - 2, powers)
            }
        }
    }
}

fn bilinear(z: [[f64; 2]; 2], h: f64, k: f64) -> [[f64; 4]; 4] {
    let over = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
    let mut cell = [[0.0; 4]; 4];
    cell[0][0] = z[0][0];
    cell[1][0] = over(z[1][0] - z[0][0], h);
    cell[0][1] = over(z[0][1] - z[0][0], k);
    cell[1][1] = over(over(z[1][1] - z[1][0] - z[0][1] + z[0][0], h), k);
    cell
}

/// Slopes at all points by Akima's method in two dimensions.
struct Slopes {
    width: usize,
    zx: Vec<f64>,
    zy: Vec<f64>,
    zxy: Vec<f64>,
}

impl Slopes {
    fn new(x: &[f64], y: &[f64], z: &dyn Fn(usize, usize) -> f64) -> Self {
        let (n, m) = (x.len(), y.len());
        // Secants in one direction, two more on each side, at every line of the other.
        let along = |values: &dyn Fn(usize) -> f64, at: &[f64]| -> Vec<f64> {
            let mut s: Vec<f64> = (0..at.len().saturating_sub(1))
                .map(|i| (values(i + 1) - values(i)) / (at[i + 1] - at[i]))
                .collect();
            if s.is_empty() {
                s.push(0.0);
            }
            let k = s.len();
            let (a, b) = (s[0], s[1.min(k - 1)]);
            let (c, d) = (s[k - 1], s[k.saturating_sub(2).min(k - 1)]);
            let mut all = vec![3.0 * a - 2.0 * b, 2.0 * a - b];
            all.extend(s);
            all.extend([2.0 * c - d, 3.0 * c - 2.0 * d]);
            all
        };
        let four = |s: &[f64], i: usize| [s[i], s[i + 1], s[i + 2], s[i + 3]];
        let columns: Vec<Vec<f64>> = (0..m).map(|j| along(&|i| z(i, j), x)).collect();
        let rows: Vec<Vec<f64>> = (0..n).map(|i| along(&|j| z(i, j), y)).collect();
        // Twists: secants along y of the secants along x.
        let twists: Vec<Vec<f64>> = (0..columns[0].len())
            .map(|i| along(&|j| columns[j][i], y))
            .collect();
        let (mut zx, mut zy, mut zxy) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..n {
            for j in 0..m {
                let (a, b) = (four(&columns[j], i), four(&rows[i], j));
                zx.push(akima_slope(a, false));
                zy.push(akima_slope(b, false));
                let share = |m: [f64; 4]| {
                    let (left, right) = akima_weights(m, false);
                    if left + right > 0.0 {
                        (right / (left + right), left / (left + right))
                    } else {
                        (0.5, 0.5)
                    }
                };
                let ((p, q), (r, s)) = (share(a), share(b));
                let twist = |di: usize, dj: usize| twists[i + di][j + dj];
                zxy.push(
                    p * (r * twist(1, 1) + s * twist(1, 2))
                        + q * (r * twist(2, 1) + s * twist(2, 2)),
                );
            }
        }
        Self {
            width: m,
            zx,
            zy,
            zxy,
        }
    }

    /// The polynomial of a cell from values and slopes at its corners.
    fn cell(
        &self,
        z: [[f64; 2]; 2],
        (i, right): (usize, usize),
        (j, up): (usize, usize),
        (h, k): (f64, f64),
    ) -> [[f64; 4]; 4] {
        let at = |values: &[f64], i: usize, j: usize| values[i * self.width + j];
        // Rows: values and slopes along x at both ends; columns: along y.
        let corner = |values: &[f64]| {
            [
                [at(values, i, j), at(values, i, up)],
                [at(values, right, j), at(values, right, up)],
            ]
        };
        let (zx, zy, zxy) = (corner(&self.zx), corner(&self.zy), corner(&self.zxy));
        let mut f = [[0.0; 4]; 4];
        for a in 0..2 {
            for b in 0..2 {
                f[a][b] = z[a][b];
                f[a + 2][b] = zx[a][b];
                f[a][b + 2] = zy[a][b];
                f[a + 2][b + 2] = zxy[a][b];
            }
        }
        // Hermite's conditions, first along y, then along x.
        let hermite = |f: [f64; 4], h: f64| {
            if h == 0.0 {
                return [f[0], 0.0, 0.0, 0.0];
            }
            let m = (f[1] - f[0]) / h;
            [
                f[0],
                f[2],
                (3.0 * m - 2.0 * f[2] - f[3]) / h,
                (f[2] + f[3] - 2.0 * m) / (h * h),
            ]
        };
        let along_y: Vec<[f64; 4]> = (0..4).map(|a| hermite(f[a], k)).collect();
        let mut cell = [[0.0; 4]; 4];
        for q in 0..4 {
            let column = hermite(
                [along_y[0][q], along_y[1][q], along_y[2][q], along_y[3][q]],
                h,
            );
            for p in 0..4 {
                cell[p][q] = column[p];
            }
        }
        cell
    }
}

#[cfg(test)]
mod tests;
